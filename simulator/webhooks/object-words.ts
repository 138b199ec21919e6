import type { ChannelType } from '../../contract/event-types.ts';

/** The words that name a product inside a webhook. */
export interface ObjectWords {
  /** The envelope's `object`. */
  readonly object: string;
  /** The `messaging_product` of a chatapp value; the other products send none. */
  readonly messagingProduct?: string;
}

/** What the simulator says by default: the specification's own words. */
export const neutralWords: Readonly<Record<ChannelType, ObjectWords>> = {
  chatapp: { object: 'chatapp', messagingProduct: 'chatapp' },
  photoapp: { object: 'photoapp' },
  pageapp: { object: 'pageapp' },
};

/** What the real upstream says. */
export const upstreamWords: Readonly<Record<ChannelType, ObjectWords>> = {
  chatapp: { object: 'whatsapp_business_account', messagingProduct: 'whatsapp' },
  photoapp: { object: 'instagram' },
  pageapp: { object: 'page' },
};
