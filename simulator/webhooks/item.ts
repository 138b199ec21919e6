import type { ChannelType } from '../../contract/event-types.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The place in the entry. For photoapp comments it depends on the kind of login. */
export type ItemPlace =
  | { readonly in: 'messaging'; readonly item: JsonObject }
  | { readonly in: 'changes' | 'entry'; readonly field: string; readonly value: JsonObject };

export interface WebhookItem {
  readonly product: ChannelType;
  readonly entryId: string;
  /** In the platform's unit for this kind; chatapp has none. */
  readonly entryTime?: number;
  /** Null if the platform gives none. */
  readonly platformMessageId: string | null;
  readonly place: ItemPlace;
}
