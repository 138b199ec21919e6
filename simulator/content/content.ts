import type { IncomingMessage, ServerResponse } from 'node:http';
import { addContent, type MadeContent } from './additions.ts';
import { createContentApi } from './api.ts';
import { createContentCalls, type ContentCall } from './calls.ts';
import { parseContentControl, type ContentControl, type ContentControlInput } from './control.ts';
import { adoptPost, publishedForm } from './published.ts';
import { createContentScript } from './script.ts';
import { seedContent } from './seed.ts';
import { createContentStore, type ContentKind, type ContentObject } from './objects/store.ts';
import { commentItem } from './webhook-items.ts';
import { readJson, sendJson } from '../servers/http-server.ts';
import type { Post } from '../media/store.ts';
import type { WebhookItem } from '../webhooks/item.ts';

/**
 * The platform's side of what accounts and Pages hold: posts, comments, conversations, insights, and the acts of an
 * account, which come back as webhooks. `POST /control/content` adds objects and says what goes wrong,
 * `GET /control/content` counts calls and objects, `DELETE /control/content` goes back to the seed.
 */
export interface ContentOptions {
  readonly appSecret: string;
  readonly now?: () => number;
  /** Sends what the platform reports; nobody waits for it. */
  readonly sendItem?: (item: WebhookItem) => void;
  /** What the media side has published: it can be read, commented on and measured here. */
  readonly publishedPosts?: () => readonly Omit<Post, 'containerId'>[];
  /** The account or Page that a token was issued for; the control's `tokens` come first. */
  readonly accountOfToken?: (token: string) => string | undefined;
}

export interface ContentSide {
  /** Changes what is given and leaves the rest; the ids of what was added. */
  readonly control: (change: ContentControlInput) => MadeContent;
  /** Forgets everything but the seed. */
  readonly reset: () => void;
  /** Photoapp media that no container made: for the media side's lists, oldest first. */
  readonly seededPosts: () => Post[];
  readonly objects: <K extends ContentKind>(kind: K) => readonly Extract<ContentObject, { kind: K }>[];
  /** Every call that arrived, also those whose answer was lost. */
  readonly calls: () => ContentCall[];
}

interface AnsweringContent extends ContentSide {
  /** False for what the content side does not know. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  /** For the end of the chain: refuses any other address of the API in the platform's words. */
  readonly answerUnknown: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
}

/** Whose Page `/me` is for a token that is not known. */
const DEMO_PAGE_ID = '300000000000001';
const kinds = ['account', 'post', 'comment', 'thread', 'message', 'upload'] as const satisfies readonly ContentKind[];

export function createContent(options: ContentOptions): AnsweringContent {
  const { appSecret, now: clock = Date.now, publishedPosts = () => [], sendItem = () => {} } = options;
  const store = createContentStore();
  const script = createContentScript();
  const calls = createContentCalls();
  const nowMs = (): number => clock() + script.settings().clockOffsetSeconds * 1000;
  const report = (item: WebhookItem): void => {
    if (script.settings().echoes) sendItem(item);
  };
  const api = createContentApi({
    appSecret,
    state: { store, script, nowMs, report },
    calls,
    meOf: (token) => script.settings().tokens[token] ?? options.accountOfToken?.(token) ?? DEMO_PAGE_ID,
    adopt() {
      for (const post of publishedPosts()) adoptPost(store, post);
    },
  });
  seedContent(store, clock());

  function apply(change: ContentControl): MadeContent {
    script.control(change);
    const { commentShape: shape } = script.settings();
    return addContent({ store, nowMs: nowMs() }, change.add ?? {}, (comment) => {
      sendItem(commentItem(comment, { atMs: nowMs(), shape }));
    });
  }

  const side: ContentSide = {
    control: (change) => apply(parseContentControl(change)),
    reset() {
      script.reset();
      calls.clear();
      store.clear();
      seedContent(store, clock());
    },
    seededPosts() {
      const published = new Set(publishedPosts().map(({ id }) => id));
      return store.all('post').flatMap((post) => (published.has(post.id) ? [] : (publishedForm(post) ?? [])));
    },
    objects: (kind) => store.all(kind),
    calls: () => calls.list(),
  };

  const shown = () => ({ now: new Date(nowMs()).toISOString(), settings: script.settings() });
  const counted = () => ({
    callCounts: calls.counts(),
    objectCounts: Object.fromEntries(kinds.map((kind) => [kind, store.all(kind).length])),
    calls: calls.list(),
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { pathname } = new URL(request.url ?? '/', 'http://platform');
    if (pathname !== '/control/content') return await api.answer(request, response);
    if (!['POST', 'DELETE', 'GET'].includes(request.method ?? '')) return false;
    const made = request.method === 'POST' && { made: apply(parseContentControl(await readJson(request))) };
    if (request.method === 'DELETE') side.reset();
    const held = request.method === 'GET' && counted();
    sendJson(response, 200, { ...shown(), ...made, ...held });
    return true;
  }

  return { ...side, answer, answerUnknown: api.answerUnknown };
}
