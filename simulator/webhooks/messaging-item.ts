import type { ChannelType } from '../../contract/event-types.ts';
import type { JsonObject, WebhookItem } from './item.ts';

export interface MessagingFacts {
  /** Also the entry's id. */
  readonly accountId: string;
  readonly from: string;
  readonly atMs: number;
  /** True if the account itself acted, which swaps sender and recipient. */
  readonly isEcho?: boolean;
  /** True for a copy sent while another application holds the conversation. */
  readonly isStandby?: boolean;
}

export function messagingItem(
  product: ChannelType,
  facts: MessagingFacts,
  part: { readonly platformMessageId: string | null; readonly fields: JsonObject },
): WebhookItem {
  const account = { id: facts.accountId };
  const other = { id: facts.from };
  const parties = facts.isEcho ? { sender: account, recipient: other } : { sender: other, recipient: account };
  return {
    product,
    entryId: facts.accountId,
    entryTime: facts.atMs,
    platformMessageId: part.platformMessageId,
    place: {
      in: facts.isStandby ? 'standby' : 'messaging',
      item: { ...parties, timestamp: facts.atMs, ...part.fields },
    },
  };
}
