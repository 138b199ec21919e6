import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import { addressBlock } from '../../contract/addresses/classify-address.ts';
import { healthRoutes } from '../../openapi/upkeep/health-routes.ts';
import { BoundedMap } from '../../process/bounded-map.ts';
import { createTurns, type Turns } from '../../process/turns.ts';
import type { ApiContext, ApiState } from './state.ts';

/**
 * The rate limits allow 600 requests of one key at the same moment, which would keep the event loop and the database
 * busy for seconds. So few requests of a tenant are in work at a time, and the others wait for a turn.
 */
interface RequestTurnsOptions {
  /** Optional. A request that takes longer, such as a long poll, ends its turn then. Default: 1 s. */
  readonly heldMs?: number;
  /** Optional. Default: as below. */
  readonly turns?: Turns<number | string>;
}

const limits = { perMember: 8, perTenant: () => 16, inAll: 160 };
const HELD_MS = 1_000;
const WAIT_MS = 10_000;
const MAX_REMEMBERED = 10_000;
const exempt = new Set<string>(Object.values(healthRoutes).map(({ path }) => path));

/** Organizations by the hash of their credentials: a turn precedes authentication. */
const organizations = new BoundedMap<string, number>(MAX_REMEMBERED);

export function requestTurns({
  heldMs = HELD_MS,
  turns = createTurns(limits),
}: RequestTurnsOptions = {}): Middleware<ApiState> {
  return async (ctx, next) => {
    if (exempt.has(ctx.path)) return await next();
    const credentialId = credentialOf(ctx);
    // Strangers of one address must not use up the turns of all others.
    const owner = { tenant: organizations.get(credentialId) ?? addressBlock(ctx.ip), member: credentialId };
    let served: Promise<unknown> = Promise.resolve();
    const work = async (): Promise<void> => {
      served = next();
      await endsOr(served, heldMs);
    };
    await turns.run(owner, { endOfWait: () => AbortSignal.timeout(WAIT_MS), work });
    await served;
  };
}

export function rememberOrganization(ctx: ApiContext, organizationId: number): void {
  organizations.set(credentialOf(ctx), organizationId);
}

function credentialOf(ctx: ApiContext): string {
  const given = ctx.get('authorization') || ctx.get('x-api-key') || ctx.get('cookie');
  return given === '' ? addressBlock(ctx.ip) : createHash('sha256').update(given).digest('base64');
}

/** Resolves when the promise settles, or after this time. */
function endsOr(promise: Promise<unknown>, afterMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, afterMs);
    const end = (): void => (clearTimeout(timer), resolve());
    promise.then(end, end);
  });
}
