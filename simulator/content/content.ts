import { createScriptedApi, objectAddress, type ScriptedApi } from '../scripted-api/api.ts';
import type { Incoming } from '../scripted-api/parameters.ts';
import type { Answering } from '../scripted-api/control.ts';
import { objectAt, textAt } from '../scripted-api/parameters.ts';
import type { SentMessage } from '../messaging/webhooks.ts';
import type { WebhookItem } from '../webhooks/item.ts';
import { contentCall, uploadAddress } from './calls.ts';
import { type ContentControl, contentControl, createContentScript, type ContentTypes } from './control.ts';
import {
  createContentStore,
  newContentNumber,
  type ContentKind,
  type ContentObject,
  type ContentStore,
  type MessageObject,
  type ThreadObject,
} from './objects/store.ts';
import { photoThreadId, putAccount, seedContent } from './seed.ts';

interface ContentOptions {
  readonly appSecret: string;
  readonly sendItem: (item: WebhookItem) => void;
}

/**
 * The platform's content API, as far as the service, the demo and the guides use it. It sends an account's actions as
 * webhooks. `/control/content` scripts it.
 */
export interface ContentApi extends ScriptedApi<ContentControl> {
  readonly objects: <K extends ContentKind>(kind: K) => readonly Extract<ContentObject, { kind: K }>[];
}

interface ContentServer extends ContentApi {
  readonly store: ContentStore;
  /** Refuses unknown objects, and so comes last. */
  readonly answer: Answering;
  /** Adds a sent message to the conversation with its recipient. */
  readonly recordSent: (message: SentMessage, recipientId: string) => void;
}

export function createContent({ appSecret, sendItem }: ContentOptions): ContentServer {
  const store = createContentStore();
  const script = createContentScript();
  const state = { store, script, nowMs: Date.now, report: sendItem };
  seedContent(store, Date.now());

  const api = createScriptedApi<ContentTypes, ContentControl>({
    appSecret,
    script,
    control: {
      path: '/control/content',
      schema: contentControl,
      apply: script.control,
      reset() {
        store.clear();
        seedContent(store, Date.now());
      },
      contents: () => ({ posts: store.all('post'), comments: store.all('comment') }),
    },
    bodies: { maxBytes: 64 * 1024, hasJsonForms: false },
    find(incoming) {
      const address = addressOf(incoming);
      if (!address) return undefined;
      const target = { ...address, account: store.find(address.id)?.accountId ?? null };
      return { target, definition: contentCall(state, target) };
    },
    subjectOf: ({ target }) => ({ account: target.account }),
  });
  return {
    ...api,
    store,
    objects: store.all,
    recordSent: (message, recipientId) => recordSent(store, message, recipientId),
  };
}

function addressOf(incoming: Incoming) {
  const upload = uploadAddress(incoming.url.pathname);
  if (!upload) return objectAddress(incoming);
  return incoming.method === 'POST' ? { ...incoming, ...upload } : undefined;
}

/** Creates the conversation and an unknown account, because the platform knows every account that can send. */
function recordSent(store: ContentStore, message: SentMessage, recipientId: string): void {
  const { id, product, account: accountId, body, atMs: createdAtMs } = message;
  if (product === 'chatapp') return;
  if (!store.get('account', accountId)) putAccount(store, { id: accountId, product, name: `Account ${accountId}` });
  const participant = { id: recipientId, name: `Person ${recipientId.slice(-4)}` };
  const known = store
    .all('thread')
    .find((each) => each.accountId === accountId && each.participant.id === participant.id);
  const ownId = product === 'photoapp' ? photoThreadId(accountId, participant.id) : `t_${newContentNumber()}`;
  const thread = store.put<ThreadObject>(
    known ?? { kind: 'thread', product, accountId, participant, id: ownId, unreadCount: 0 },
  );
  const text = textAt(objectAt(body, 'message') ?? {}, 'text') ?? '';
  const sent = { id, threadId: thread.id, text, isFromAccount: true, createdAtMs };
  store.put<MessageObject>({ kind: 'message', product, accountId, ...sent });
}
