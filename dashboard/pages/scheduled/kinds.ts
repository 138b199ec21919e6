import type { Schema } from '../../../client/create-client.ts';
import {
  type ScheduledKind,
  scheduledMessageStatuses,
  scheduledPostStatuses,
  type ScheduledStatus,
} from '../../../contract/scheduled/scheduled.ts';
import type { Tone } from '../../kit/tone.ts';
import { api } from '../../session/api.ts';

export type ScheduledMessage = Schema<'ScheduledMessage'>;
export type ScheduledPost = Schema<'ScheduledPost'>;

/** What the page shows of either kind. */
export interface Scheduled {
  readonly id: string;
  readonly dueAt: string;
  readonly status: ScheduledStatus;
  readonly statusDetail: string | null;
  readonly content: Readonly<Record<string, unknown>> | null;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly message?: ScheduledMessage;
  readonly post?: ScheduledPost;
}

const ofMessage = (message: ScheduledMessage): Scheduled => ({
  ...message,
  id: message.scheduledMessageId,
  dueAt: message.sendAt,
  content: message.message,
  message,
});

const ofPost = (post: ScheduledPost): Scheduled => ({
  ...post,
  id: post.scheduledPostId,
  dueAt: post.publishAt,
  content: post.container,
  post,
});

interface Page {
  readonly items: readonly Scheduled[];
  readonly nextCursor: string | null;
}

interface Kind {
  readonly due: string;
  readonly statuses: readonly ScheduledStatus[];
  readonly list: (ch: string, query: { readonly status?: never; readonly cursor?: string }) => Promise<Page>;
  /** With the content, which the list may lack. */
  readonly get: (ch: string, id: string) => Promise<Scheduled>;
  readonly cancel: (ch: string, id: string) => Promise<unknown>;
  readonly cancelled: string;
}

export const kinds: Readonly<Record<ScheduledKind, Kind>> = {
  message: {
    due: 'Send at',
    statuses: scheduledMessageStatuses,
    async list(ch, query) {
      const params = { path: { ch }, query };
      const { scheduledMessages, nextCursor } = await api.get('/channels/{ch}/scheduled-messages', { params });
      return { items: scheduledMessages.map(ofMessage), nextCursor };
    },
    get: async (ch, sm) =>
      ofMessage(await api.get('/channels/{ch}/scheduled-messages/{sm}', { params: { path: { ch, sm } } })),
    cancel: (ch, sm) => api.post('/channels/{ch}/scheduled-messages/{sm}/cancel', { params: { path: { ch, sm } } }),
    cancelled: 'is not sent, and its content is erased',
  },
  post: {
    due: 'Publish at',
    statuses: scheduledPostStatuses,
    async list(ch, query) {
      const params = { path: { ch }, query };
      const { scheduledPosts, nextCursor } = await api.get('/channels/{ch}/photoapp/scheduled-posts', { params });
      return { items: scheduledPosts.map(ofPost), nextCursor };
    },
    get: async (ch, sp) =>
      ofPost(await api.get('/channels/{ch}/photoapp/scheduled-posts/{sp}', { params: { path: { ch, sp } } })),
    cancel: (ch, sp) =>
      api.post('/channels/{ch}/photoapp/scheduled-posts/{sp}/cancel', { params: { path: { ch, sp } } }),
    cancelled: 'is not published',
  },
};

export const tones: Readonly<Record<ScheduledStatus, Tone>> = {
  scheduled: 'info',
  sending: 'info',
  sent: 'good',
  started: 'good',
  failed: 'bad',
  unknown: 'warn',
  cancelled: 'neutral',
};
