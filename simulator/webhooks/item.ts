import type { ChannelType } from '../../contract/event-types.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Where in its entry an item stands. Photoapp comments come in `changes` or on the entry itself, by kind of login. */
export type ItemPlace =
  | { readonly in: 'messaging' | 'standby'; readonly item: JsonObject }
  | { readonly in: 'changes' | 'entry'; readonly field: string; readonly value: JsonObject };

/** One thing that the platform reports, not yet in an envelope: `envelope` joins one or many. */
export interface WebhookItem {
  readonly product: ChannelType;
  /** The account of the entry: a business account (chatapp), an account (photoapp) or a Page (pageapp). */
  readonly entryId: string;
  /** The entry's `time`, in the unit that the platform uses for this kind; chatapp entries have none. */
  readonly entryTime?: number;
  /** The id that the platform gave the thing; null where it gives none. */
  readonly platformMessageId: string | null;
  readonly place: ItemPlace;
}
