import { type Accounts } from '../consent/accounts.ts';
import type { ScriptedApi } from '../scripted-api/api.ts';
import type { Answering } from '../scripted-api/control.ts';
import type { ControlEvent } from '../webhooks/events.ts';
import type { WebhookPoster } from '../webhooks/post-webhook.ts';
import { createMessagingApi } from './api.ts';
import { createChatappMedia } from './chatapp-media.ts';
import { createMessagingScript, type MessagingControlInput, type WebhookDelays } from './control.ts';
import { createLog, type MessagingState, type SentAction } from './state.ts';
import { createMessagingWebhooks, type SentMessage } from './webhooks.ts';
import { createMessagingWindows } from './windows.ts';

/**
 * The platform's messaging API: messages, status and echo webhooks, files and templates. `/control/messaging` scripts
 * it.
 */
export interface MessagingApi extends ScriptedApi<MessagingControlInput> {
  /** Oldest first. Includes messages whose response was lost. */
  readonly sent: () => readonly SentMessage[];
  readonly actions: () => readonly SentAction[];
}

export interface MessagingOptions {
  readonly now?: () => number;
  readonly webhooks?: Partial<WebhookDelays>;
}

interface MessagingNeeds extends MessagingOptions, Pick<MessagingState, 'onDirect' | 'commentOf'> {
  readonly poster: WebhookPoster;
  readonly appSecret: string;
  readonly accounts: Accounts;
}

interface MessagingServer extends MessagingApi {
  readonly answer: Answering;
  /** Opens windows by the events that the platform sends. */
  readonly recordEvent: (event: ControlEvent) => void;
}

export function createMessaging(needs: MessagingNeeds): MessagingServer {
  const { poster, appSecret, accounts, onDirect, commentOf, now = Date.now } = needs;
  const state: MessagingState = {
    script: createMessagingScript(needs.webhooks),
    sent: createLog<SentMessage>(),
    actions: createLog<SentAction>(),
    windows: createMessagingWindows(),
    webhooks: createMessagingWebhooks({ poster, now }),
    media: createChatappMedia(),
    profiles: new Map(),
    accounts,
    onDirect,
    commentOf,
    now,
  };
  return {
    ...createMessagingApi(state, appSecret),
    sent: state.sent.list,
    actions: state.actions.list,
    recordEvent: (event) => state.windows.recordEvent(event, now()),
  };
}
