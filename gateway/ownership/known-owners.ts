import type { SubjectKind } from '../../platform/ownership/edges.ts';
import type { TokenChannel } from '../../db/channels/tokens.ts';

/** What is known of objects for a while: the kind of those that belong to a channel, and which ones do not. */
export interface KnownOwners {
  find(channel: TokenChannel, objectId: string): SubjectKind | 'foreign' | undefined;
  remember(channel: TokenChannel, objectId: string, kind: SubjectKind | 'foreign'): void;
}

const MAX_KNOWN = 10_000;
/** Owners do not change; objects that are deleted may as well be asked of the platform, which says so. */
const OWNED_MS = 10 * 60_000;
/** Just made elsewhere, an object may not be readable at once. */
const FOREIGN_MS = 5_000;

export function createKnownOwners(now: () => number = () => performance.now()): KnownOwners {
  const known = new Map<string, { readonly kind: SubjectKind | 'foreign'; readonly untilMs: number }>();
  // With the accounts, so that nothing outlives the link between a Page and its photo account.
  const keyOf = ({ channelId, resourceId, linkedResourceId }: TokenChannel, objectId: string): string =>
    `${channelId}/${resourceId}/${linkedResourceId ?? ''}/${objectId}`;

  return {
    find(channel, objectId) {
      const key = keyOf(channel, objectId);
      const entry = known.get(key);
      if (!entry) return undefined;
      known.delete(key);
      if (entry.untilMs <= now()) return undefined;
      known.set(key, entry); // the last one used is the last one to go
      return entry.kind;
    },
    remember(channel, objectId, kind) {
      const key = keyOf(channel, objectId);
      known.delete(key);
      known.set(key, { kind, untilMs: now() + (kind === 'foreign' ? FOREIGN_MS : OWNED_MS) });
      if (known.size <= MAX_KNOWN) return;
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    },
  };
}
