import type { SubjectKind } from '../../platform/ownership/edges.ts';
import type { TokenChannel } from '../../db/channels/tokens.ts';

export interface KnownOwners {
  find(channel: TokenChannel, objectId: string): SubjectKind | 'foreign' | undefined;
  remember(channel: TokenChannel, objectId: string, kind: SubjectKind | 'foreign'): void;
}

const MAX_KNOWN = 10_000;
/** Owners don't change, and the platform reports deleted objects. */
const OWNED_MS = 10 * 60_000;
/** A new object may not be readable yet. */
const FOREIGN_MS = 5_000;

export function createKnownOwners(now: () => number = () => performance.now()): KnownOwners {
  const known = new Map<string, { readonly kind: SubjectKind | 'foreign'; readonly untilMs: number }>();
  // Includes the accounts, because a Page's photo account may change.
  const keyOf = ({ channelId, resourceId, linkedResourceId }: TokenChannel, objectId: string): string =>
    `${channelId}/${resourceId}/${linkedResourceId ?? ''}/${objectId}`;

  return {
    find(channel, objectId) {
      const key = keyOf(channel, objectId);
      const entry = known.get(key);
      if (!entry) return undefined;
      known.delete(key);
      if (entry.untilMs <= now()) return undefined;
      known.set(key, entry); // least recently used first
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
