import type { ChannelType } from '../../contract/event-types.ts';

export interface ObjectWords {
  readonly object: string;
  /** Chatapp only. */
  readonly messagingProduct?: string;
}

export const neutralWords: Readonly<Record<ChannelType, ObjectWords>> = {
  chatapp: { object: 'chatapp', messagingProduct: 'chatapp' },
  photoapp: { object: 'photoapp' },
  pageapp: { object: 'pageapp' },
};

export const upstreamWords: Readonly<Record<ChannelType, ObjectWords>> = {
  chatapp: { object: 'whatsapp_business_account', messagingProduct: 'whatsapp' },
  photoapp: { object: 'instagram' },
  pageapp: { object: 'page' },
};
