import type { LoggedCall } from '../scripted-api/call-log.ts';
import type { SentMessage } from '../messaging/message-log.ts';
import { createControl, type Answering } from '../scripted-api/control.ts';
import type { Post } from '../media/store.ts';
import type { WebhookItem } from '../webhooks/item.ts';
import { recordSentMessage } from './additions.ts';
import { answerUnknownObjects, createContentApi } from './api.ts';
import { contentControl, type ContentControlInput } from './control.ts';
import { createContentStore, type ContentKind, type ContentObject } from './objects/store.ts';
import { adoptPost, asMediaPost } from './published.ts';
import { createContentScript } from './script.ts';
import { seedContent } from './seed.ts';

export interface ContentOptions {
  readonly appSecret: string;
  readonly now?: () => number;
  readonly sendItem?: (item: WebhookItem) => void;
  readonly publishedPosts?: () => readonly Omit<Post, 'containerId'>[];
  readonly accountOfToken?: (token: string) => string | undefined;
}

/**
 * The platform's content API, as far as the service, the demo and the guides use it. It sends an account's actions as
 * webhooks. `/control/content` scripts it.
 */
export interface ContentApi {
  readonly control: (change: ContentControlInput) => void;
  readonly release: () => void;
  readonly reset: () => void;
  /** Posts without a container, oldest first. */
  readonly seededPosts: () => Post[];
  readonly objects: <K extends ContentKind>(kind: K) => readonly Extract<ContentObject, { kind: K }>[];
  readonly calls: () => LoggedCall[];
  /** Adds a sent message to the conversation with its recipient. */
  readonly recordSent: (message: SentMessage, recipientId: string) => void;
}

interface ContentServer extends ContentApi {
  readonly answer: Answering;
  readonly answerUnknown: Answering;
}

/** The Page behind `/me` for an unknown token. */
const DEMO_PAGE_ID = '300000000000001';
const kinds = ['account', 'post', 'comment', 'thread', 'message', 'upload'] as const satisfies readonly ContentKind[];

export function createContent(options: ContentOptions): ContentServer {
  const { appSecret, now: clock = Date.now, publishedPosts = () => [], sendItem = () => {} } = options;
  const store = createContentStore();
  const script = createContentScript();
  const nowMs = (): number => clock() + script.settings().clockOffsetSeconds * 1000;
  const apiOptions = {
    appSecret,
    state: { store, script, nowMs, report: sendItem },
    meOf: (token: string) => script.settings().tokens[token] ?? options.accountOfToken?.(token) ?? DEMO_PAGE_ID,
    adopt: () => publishedPosts().forEach((post) => adoptPost(store, post)),
  };
  const api = createContentApi(apiOptions);
  seedContent(store, clock());

  function reset(): void {
    script.reset();
    api.log.clear();
    store.clear();
    seedContent(store, clock());
  }

  const { control, answer: answerControl } = createControl({
    path: '/control/content',
    schema: contentControl,
    apply: script.control,
    reset,
    state: () => ({ now: new Date(nowMs()).toISOString(), settings: script.settings() }),
    contents: () => ({
      callCounts: api.log.counts().calls,
      objectCounts: Object.fromEntries(kinds.map((kind) => [kind, store.all(kind).length])),
      calls: api.log.list(),
    }),
  });

  return {
    control,
    release: api.release,
    reset,
    seededPosts() {
      const published = new Set(publishedPosts().map(({ id }) => id));
      return store.all('post').flatMap((post) => (published.has(post.id) ? [] : (asMediaPost(post) ?? [])));
    },
    objects: store.all,
    calls: api.log.list,
    recordSent: (message, recipientId) => recordSentMessage(store, { message, recipientId }),
    answer: async (...call) => (await answerControl(...call)) || (await api.answer(...call)),
    answerUnknown: answerUnknownObjects(apiOptions),
  };
}
