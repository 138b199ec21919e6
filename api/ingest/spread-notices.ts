/**
 * A notice about a business account names no number. It goes to each connected number of the account as an item of its
 * own. Without one, it stays an item of no channel.
 */
import { type AccountChannel, channelsOfBusinessAccounts } from '../../db/channels/business-accounts.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import type { EnvelopeItem } from './split-envelope.ts';

export interface SpreadItems {
  readonly items: readonly EnvelopeItem[];
  /** Channels whose health must be checked now. */
  readonly toCheck: readonly AccountChannel[];
}

/** Bounds the copies that one request can cause. Further notices stay items of no channel. */
const MAX_ITEMS = 50_000;

export function hasNotice(items: readonly EnvelopeItem[]): boolean {
  return items.some(({ notice }) => notice !== undefined);
}

export async function spreadNotices(pool: HotPool, items: readonly EnvelopeItem[]): Promise<SpreadItems> {
  const accountIds = new Set(items.flatMap(({ notice }) => notice?.businessAccountId ?? []));
  const channels = await channelsOfBusinessAccounts(pool, [...accountIds]);
  const byAccount = Map.groupBy(channels, ({ businessAccountId }) => businessAccountId);
  const spread: EnvelopeItem[] = [];
  const toCheck = new Map<number, AccountChannel>();
  let room = MAX_ITEMS - items.length;
  for (const item of items) {
    const own = (item.notice && byAccount.get(item.notice.businessAccountId)) ?? [];
    if (own.length === 0 || own.length > room) {
      spread.push(item);
      continue;
    }
    room -= own.length;
    for (const channel of own) {
      spread.push({ ...item, resourceId: channel.resourceId });
      if (item.notice?.needsCheck) toCheck.set(channel.id, channel);
    }
  }
  return { items: spread, toCheck: [...toCheck.values()] };
}
