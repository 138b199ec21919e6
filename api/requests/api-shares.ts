import { createShares, type ShareNumbers, type ShareOwner, type Shares } from '../../process/shares.ts';
import type { Principal } from './state.ts';

/** A program may send a burst. Its requests wait for each other rather than being refused. */
const WAIT_MS = 15_000;

/** What tenants share in an API process. docs/security.md lists them. */
const numbers = {
  /** Ten programs per key. A thousand streams make a thousand database reads per second. */
  streams: { perCredential: 10, perOrganization: 100, inAll: 1_000 },
  waitingReaders: { perCredential: 20, perOrganization: 100, inAll: 1_000 },
  /** Each reads the tables of calls as a whole. */
  personExports: { perCredential: 1, perOrganization: 1, inAll: 8 },
  /** Running and waiting. A page of the dashboard loads up to ten. */
  slowReads: { perCredential: 30, perOrganization: 100, inAll: 500, retrySeconds: 5 },
  /**
   * Requests that wait for an activity of the interactive queue, most of which call a URL of the caller. A worker has 100
   * slots for them.
   */
  interactive: { perCredential: 20, perOrganization: 20, inAll: 80, retrySeconds: 5, waitMs: WAIT_MS },
  /** Requests that wait for the platform on the media queue. A worker has 100 slots for them. */
  containers: { perCredential: 20, perOrganization: 20, inAll: 80, retrySeconds: 5, waitMs: WAIT_MS },
} as const satisfies Readonly<Record<string, ShareNumbers>>;

export type ApiShares = Readonly<Record<keyof typeof numbers, Shares>>;

export function createApiShares(): ApiShares {
  return {
    streams: createShares(numbers.streams),
    waitingReaders: createShares(numbers.waitingReaders),
    personExports: createShares(numbers.personExports),
    slowReads: createShares(numbers.slowReads),
    interactive: createShares(numbers.interactive),
    containers: createShares(numbers.containers),
  };
}

export interface OwnedRequest {
  readonly principal: Pick<Principal, 'credentialId' | 'userId' | 'organization'>;
  readonly organization?: { readonly id: number } | undefined;
  readonly clientAddress?: string;
}

/** The organization is that of the resource, or else the key's. */
export function shareOwner({
  principal,
  organization,
  clientAddress,
}: OwnedRequest): ShareOwner & { readonly credentialId: string } {
  const { credentialId, userId } = principal;
  return { credentialId, userId, organizationId: organization?.id ?? principal.organization?.id, clientAddress };
}
