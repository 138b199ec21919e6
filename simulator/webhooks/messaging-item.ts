import type { ChannelType } from '../../contract/event-types.ts';
import type { JsonObject, WebhookItem } from './item.ts';

/** One item of `messaging`, whose form photoapp and pageapp share. */
export interface MessagingFacts {
  /** The account or Page, which is the entry's id as well. */
  readonly accountId: string;
  /** The other party, scoped to the account. */
  readonly from: string;
  readonly atMs: number;
  /** True where the account itself acted: sender and recipient change places. */
  readonly isEcho?: boolean;
  /** True for a copy sent while another application holds the conversation. */
  readonly isStandby?: boolean;
}

/** Puts the part that tells the kinds apart (`message`, `read`, `postback` …) beside sender, recipient and time. */
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
