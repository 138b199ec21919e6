import type { IncomingMessage, ServerResponse } from 'node:http';
import { createAccounts, type PhoneNumber } from '../consent/accounts.ts';
import { createChatappMedia } from './chatapp-media.ts';
import { readJson, sendJson } from '../servers/http-server.ts';
import { createMessagingApi } from './api.ts';
import { parseMessagingControl, type MessagingControl, type MessagingControlInput } from './control.ts';
import { createMessagingLog, type MessagingCounts, type SentAction, type SentMessage } from './message-log.ts';
import { createMessagingScript, type WebhookDelays } from './script.ts';
import type { MessagingState } from './state.ts';
import { createMessagingThrottle } from './throttle.ts';
import { createMessagingWebhooks } from './webhooks.ts';
import { createMessagingWindows, type Comment } from './windows.ts';
import type { WebhookPoster } from '../webhooks/post-webhook.ts';

/**
 * The platform's side of sending messages, for all three products: messages, marks and reactions are checked and taken,
 * their statuses and echoes posted, files for messages kept, templates listed. It never opens the addresses that it is
 * given. `POST /control/messaging` says what goes wrong, which clock counts and which webhooks follow, `GET
 * /control/messaging` shows what was sent, `DELETE /control/messaging` forgets all of it.
 */
export interface MessagingSide {
  /** Changes what is given and leaves the rest. */
  readonly control: (change: MessagingControlInput) => void;
  /** Forgets every message, file, window and count, what was scripted, and the webhooks that are still due. */
  readonly reset: () => void;
  /** Every message that was taken, also those whose answer was lost; oldest first. */
  readonly sent: () => readonly SentMessage[];
  /** Marks of reading, signs of typing and reactions by `sender_action`. */
  readonly actions: () => readonly SentAction[];
  readonly counts: () => MessagingCounts;
}

export interface MessagingOptions {
  readonly now?: () => number;
  /** Delays of what follows a send; null sends none. */
  readonly webhooks?: Partial<WebhookDelays>;
}

export interface AnsweringMessaging extends MessagingSide {
  /** False for an address that is not the messaging side's. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  /** Posts by the given poster, and notes who wrote and commented: what comes in by it opens the windows. */
  readonly watched: WebhookPoster;
}

export interface MessagingNeeds extends MessagingOptions {
  /** Posts the statuses and echoes. */
  readonly poster: WebhookPoster;
  readonly appSecret: string;
  /** What the customer has; the demo's numbers when left out. */
  readonly numbers?: () => readonly PhoneNumber[];
  /** Comments and visitors' posts that the platform holds, besides those whose webhooks went out. */
  readonly commentOf?: (id: string) => Comment | undefined;
  /** Which app the echoes of a Page name; digits. */
  readonly appId?: string;
}

const DEMO_APP_ID = '900000000000001';

export function createMessaging(options: MessagingNeeds): AnsweringMessaging {
  const { poster, appSecret, now: clock = Date.now, appId = DEMO_APP_ID } = options;
  const script = createMessagingScript(options.webhooks);
  const now = (): number => clock() + script.settings().clockOffsetSeconds * 1000;
  const log = createMessagingLog();
  const state: MessagingState = {
    script,
    log,
    windows: createMessagingWindows(options.commentOf ?? (() => undefined)),
    throttle: createMessagingThrottle(),
    webhooks: createMessagingWebhooks({ poster, log, now, appId }),
    media: createChatappMedia(),
    profiles: new Map(),
    numbers: options.numbers ?? createAccounts().numbers,
    now,
  };
  const api = createMessagingApi({ appSecret, state });

  const side: MessagingSide = {
    control: (change) => apply(state, parseMessagingControl(change)),
    reset: () => forget(state),
    sent: log.sent,
    actions: log.actions,
    counts: log.counts,
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { pathname } = new URL(request.url ?? '/', 'http://platform');
    switch (`${request.method} ${pathname}`) {
      case 'POST /control/messaging':
        apply(state, parseMessagingControl(await readJson(request)));
        sendJson(response, 200, shown(state));
        return true;
      case 'DELETE /control/messaging':
        side.reset();
        sendJson(response, 200, shown(state));
        return true;
      case 'GET /control/messaging':
        sendJson(response, 200, { ...shown(state), ...held(state) });
        return true;
      default:
        return await api(request, response);
    }
  }

  const watched: WebhookPoster = {
    ...poster,
    post(bytes) {
      // Before it is posted: the answer to a message may come at once.
      state.windows.saw(bytes, { nowMs: now(), realNowMs: clock() });
      return poster.post(bytes);
    },
  };
  return { ...side, answer, watched };
}

function apply({ script, windows, now }: MessagingState, change: MessagingControl): void {
  script.control(change);
  for (const { account, from, atMs } of change.inbound ?? []) windows.wrote(account, from, atMs ?? now());
  for (const { id, from, atMs } of change.comments ?? []) windows.commented(id, { from, atMs: atMs ?? now() });
}

function forget({ script, log, windows, throttle, webhooks, media, profiles }: MessagingState): void {
  for (const each of [log, windows, throttle, media, profiles]) each.clear();
  webhooks.cancel();
  script.reset();
}

function shown({ script, log, now }: MessagingState) {
  return { now: new Date(now()).toISOString(), settings: script.settings(), counts: log.counts() };
}

function held({ log, media }: MessagingState) {
  const files = media.list().map(({ id, account, mimeType, content, sha256, uploadedAtMs }) => {
    return { id, account, mimeType, sizeBytes: content.length, sha256, uploadedAtMs };
  });
  return { sent: log.sent(), actions: log.actions(), files };
}
