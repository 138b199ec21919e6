import type { Values } from './json-schema.ts';

const container = {
  mediaType: 'IMAGE',
  imageUrl: 'https://cdn.northwind.example/sourdough.jpg',
  caption: 'Fresh sourdough, every morning at seven.',
  altText: 'A loaf of sourdough on a wooden board',
};
const hello = { to: '15550198', text: 'Your order is ready. See you soon!' };

/** Messages, posts, comments and insights. */
export const contentValues: Readonly<Record<string, Values>> = {
  MessageInput: hello,
  MessageReadInput: { to: '15550198' },
  TypingInput: { messageId: 'wamid.HBgLMTU1NTAxOTg' },
  ScheduledMessage: { message: hello, platformMessageId: null, endedAt: null },
  ScheduledRecord: { kind: 'message', id: 'sm_J2tV7mWq' },
  ScheduledByKey: { messageCount: 1, postCount: 0 },
  ScheduledCancellation: { kind: 'message', id: 'sm_J2tV7mWq' },
  ScheduledMessageChange: { sendAt: '2026-02-14T08:00:00.000Z' },
  ScheduledPost: { container, endedAt: null },
  ScheduledPostChange: { publishAt: '2026-02-14T08:00:00.000Z' },
  MediaContainerInput: container,
  MediaContainer: { status: 'finished', mediaId: null, permalink: null, expiresAt: '2026-02-01T08:00:00.000Z' },
  MediaContainerChild: { videoUrl: null, status: 'finished' },
  MediaContainerChildInput: { imageUrl: 'https://cdn.northwind.example/sourdough.jpg' },
  MediaUserTag: { x: 0.5, y: 0.4 },
  PhotoappReplyInput: { private: false },
  PageappReplyInput: { message: 'Yes, until noon. Shall I keep one for you?', private: false },
  PageappPostInput: {
    kind: 'link',
    message: 'Fresh sourdough, every morning at seven.',
    link: 'https://sunrise-bakery.example/',
  },
  PageappPublished: { kind: 'link', mediaId: null },
  PageappReelInput: { description: 'From flour to loaf in thirty seconds.' },
  PageappComment: { message: 'Do you have sourdough today?', isHidden: false },
  PageappPost: {
    id: '300000000000001_122100000000001',
    permalink: 'https://pageapp.example/sunrise/posts/122100000000001',
    type: 'link',
  },
  PageappPage: { category: 'Bakery' },
  PageappInsights: { targetId: '300000000000001', unavailable: ['page_fans_country'] },
  PhotoappInsights: { targetId: '17841405822304914', unavailable: ['reached_audience_demographics'] },
  InsightMetric: { name: 'reach', period: 'day', values: [{ value: 1840, endTime: '2026-01-31T08:00:00.000Z' }] },
  PhotoappMedia: { id: '17895695668004550', mediaType: 'image', productType: 'FEED' },
  PhotoappComment: { text: 'Do you have sourdough today?', username: 'ana.torres', isHidden: false },
  PhotoappMention: {
    comment: {
      id: '17858893269000001',
      text: 'Try the sourdough of @sunrise.bakery!',
      fromId: '17841400000000123',
      username: 'ana.torres',
      createdAt: '2026-01-31T08:00:00.000Z',
      isHidden: null,
      parentId: null,
      likeCount: 3,
    },
  },
  PhotoappAccount: { biography: 'Bread, cake and coffee since 1987' },
  CommentReply: { private: false, messageId: null },
  Conversation: { id: 't_100012345678901', unreadCount: 1 },
  ConversationMessage: { id: 'm_aGk6NTQzMjE', text: 'Do you have sourdough today?' },
  ChatappTemplate: {
    id: '594425479261596',
    name: 'order_ready',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Your order {{1}} is ready.' }],
  },
  OutboundCall: { platformRequestId: 'AbC3dEfG1hI' },
};
