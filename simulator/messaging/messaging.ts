import { type Accounts, createAccounts, type NumberFacts, type PhoneNumber } from '../consent/accounts.ts';
import type { CallCounts, CallLog } from '../scripted-api/call-log.ts';
import { createControl, type Answering } from '../scripted-api/control.ts';
import type { WebhookPoster } from '../webhooks/post-webhook.ts';
import { createMessagingApi } from './api.ts';
import { createChatappMedia } from './chatapp-media.ts';
import { messagingControl, type MessagingControl, type MessagingControlInput } from './control.ts';
import { createMessageLog, type SentAction, type SentMessage, type WebhookCounts } from './message-log.ts';
import { createMessagingScript, type WebhookDelays } from './script.ts';
import type { MessagingState } from './state.ts';
import { createMessagingThrottle } from './throttle.ts';
import { createMessagingWebhooks } from './webhooks.ts';
import { createMessagingWindows, type Comment } from './windows.ts';

/**
 * The platform's messaging API: messages, status and echo webhooks, files and templates. `/control/messaging` scripts
 * it.
 */
export interface MessagingApi {
  readonly control: (change: MessagingControlInput) => void;
  readonly release: () => void;
  /** Also cancels due webhooks. */
  readonly reset: () => void;
  /** Oldest first. Includes messages whose response was lost. */
  readonly sent: () => readonly SentMessage[];
  readonly actions: () => readonly SentAction[];
  readonly counts: () => MessagingCounts;
}

interface MessagingCounts extends CallCounts {
  readonly webhooks: WebhookCounts;
}

export interface MessagingOptions {
  readonly now?: () => number;
  readonly webhooks?: Partial<WebhookDelays>;
}

export interface MessagingServer extends MessagingApi {
  readonly answer: Answering;
  /** Messages and comments that it posts open messaging windows. */
  readonly watched: WebhookPoster;
}

export interface MessagingNeeds extends MessagingOptions {
  readonly poster: WebhookPoster;
  readonly appSecret: string;
  readonly numbers?: () => readonly PhoneNumber[];
  readonly factsOf?: (numberId: string) => NumberFacts;
  readonly register?: Accounts['register'];
  /** Optional. Finds comments that no webhook reported. */
  readonly commentOf?: (id: string) => Comment | undefined;
  readonly appId?: string;
  /** Optional. Receives each accepted direct message with its recipient. */
  readonly onDirect?: (message: SentMessage, recipientId: string) => void;
}

const DEMO_APP_ID = '900000000000001';

export function createMessaging(options: MessagingNeeds): MessagingServer {
  const { poster, appSecret, now: clock = Date.now } = options;
  const state = createState(options, clock);
  const { script, log, now } = state;
  const api = createMessagingApi(state, appSecret);
  const counts = (): MessagingCounts => ({ ...api.log.counts(), webhooks: log.webhookCounts() });

  const reset = (): void => forget(state, api.log);

  const { control, answer: answerControl } = createControl({
    path: '/control/messaging',
    schema: messagingControl,
    apply: (change) => apply(state, change),
    reset,
    state: () => ({ now: new Date(now()).toISOString(), settings: script.settings(), counts: counts() }),
    contents: () => ({ sent: log.sent(), actions: log.actions(), files: filesIn(state) }),
  });

  return {
    control,
    release: api.release,
    reset,
    sent: log.sent,
    actions: log.actions,
    counts,
    answer: async (...call) => (await answerControl(...call)) || (await api.answer(...call)),
    watched: watch(poster, (bytes) => state.windows.recordWebhook(bytes, { nowMs: now(), realNowMs: clock() })),
  };
}

function createState(options: MessagingNeeds, clock: () => number): MessagingState {
  const { poster, appId = DEMO_APP_ID, onDirect = () => {} } = options;
  const script = createMessagingScript(options.webhooks);
  const now = (): number => clock() + script.settings().clockOffsetSeconds * 1000;
  const log = createMessageLog();
  return {
    script,
    log,
    windows: createMessagingWindows(options.commentOf ?? (() => undefined)),
    throttle: createMessagingThrottle(),
    webhooks: createMessagingWebhooks({ poster, log, now, appId }),
    media: createChatappMedia(),
    profiles: new Map(),
    numberSettings: new Map(),
    flows: new Map(),
    onDirect,
    numbers: options.numbers ?? createAccounts().numbers,
    factsOf: options.factsOf ?? (() => ({})),
    register: options.register ?? (() => undefined),
    now,
  };
}

function watch(poster: WebhookPoster, see: (webhook: Uint8Array) => void): WebhookPoster {
  return {
    ...poster,
    post(bytes) {
      // Recorded before posting, because the service may reply immediately.
      see(bytes);
      return poster.post(bytes);
    },
  };
}

function apply({ script, windows, now }: MessagingState, change: MessagingControl): void {
  script.control(change);
  for (const { account, from, atMs } of change.inbound ?? []) windows.recordMessage(account, from, atMs ?? now());
  for (const { id, from, atMs } of change.comments ?? []) windows.recordComment(id, { from, atMs: atMs ?? now() });
}

function forget(
  { script, log, windows, throttle, webhooks, media, profiles, numberSettings, flows }: MessagingState,
  calls: CallLog,
): void {
  for (const each of [calls, log, windows, throttle, media, profiles, numberSettings, flows]) each.clear();
  webhooks.cancel();
  script.reset();
}

function filesIn({ media }: MessagingState) {
  return media.list().map(({ id, account, mimeType, content, sha256, uploadedAtMs }) => {
    return { id, account, mimeType, sizeBytes: content.length, sha256, uploadedAtMs };
  });
}
