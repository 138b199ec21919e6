import { setTimeout as sleep } from 'node:timers/promises';
import type { SentMessage, MessageLog } from './message-log.ts';
import type { MessagingFault } from './control.ts';
import { objectAt, textAt } from '../scripted-api/parameters.ts';
import type { WebhookDelays } from './script.ts';
import type { WebhookPoster } from '../webhooks/post-webhook.ts';
import { sendBytes } from '../webhooks/send-event.ts';
import { chatappStatus } from '../webhooks/chatapp.ts';
import { encodeWebhook } from '../webhooks/encode.ts';
import { envelope } from '../webhooks/envelope.ts';
import type { JsonObject, WebhookItem } from '../webhooks/item.ts';
import { pageappMessage } from '../webhooks/pageapp.ts';
import { photoappMessage } from '../webhooks/photoapp.ts';

export interface StatusChain {
  readonly message: SentMessage;
  readonly recipient: string;
  readonly number: { readonly display: string; readonly businessId: string };
  readonly failsLater?: MessagingFault['failsLater'];
  readonly realWords: boolean;
}

export interface Echo {
  readonly message: SentMessage;
  readonly recipient: string;
  readonly realWords: boolean;
}

export interface MessagingWebhooks {
  statuses(chain: StatusChain, delays: WebhookDelays): void;
  echo(echo: Echo, delays: WebhookDelays): void;
  cancel(): void;
}

interface WebhookSending {
  readonly poster: WebhookPoster;
  readonly log: MessageLog;
  readonly now: () => number;
  readonly appId: string;
}

export function createMessagingWebhooks({ poster, log, now, appId }: WebhookSending): MessagingWebhooks {
  let cancelling = new AbortController();

  async function post(item: WebhookItem, realWords: boolean): Promise<void> {
    const bytes = encodeWebhook(envelope({ items: [item], realWords }));
    const { status } = await sendBytes(poster, { bytes, platformMessageIds: [] });
    log.countWebhook(status === 200 ? 'posted' : 'failed');
  }

  /** Delays count from the start, so that a slow post does not add to the next delay. */
  async function follow(steps: readonly Step[], realWords: boolean): Promise<void> {
    const { signal } = cancelling;
    const startedAtMs = performance.now();
    for (const { delayMs, item } of steps) {
      if (await isCancelled(startedAtMs + delayMs - performance.now(), signal)) return;
      await post(item(), realWords);
    }
  }

  return {
    statuses(chain, { sentMs, deliveredMs, readMs }) {
      const steps: Step[] = chain.failsLater
        ? due([[sentMs ?? 0, () => statusItem(chain, 'failed', now())]])
        : due([
            [sentMs, () => statusItem(chain, 'sent', now())],
            [deliveredMs, () => statusItem(chain, 'delivered', now())],
            [readMs, () => statusItem(chain, 'read', now())],
          ]);
      void follow(steps, chain.realWords);
    },
    echo(echo, { echoMs }) {
      void follow(due([[echoMs, () => echoItem(echo, appId)]]), echo.realWords);
    },
    cancel() {
      cancelling.abort();
      cancelling = new AbortController();
    },
  };
}

interface Step {
  readonly delayMs: number;
  readonly item: () => WebhookItem;
}

function due(steps: readonly (readonly [number | null, () => WebhookItem])[]): Step[] {
  return steps.flatMap(([delayMs, item]) => (delayMs === null ? [] : [{ delayMs, item }]));
}

async function isCancelled(delayMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    // Unreferenced: a pending status must not keep the process alive.
    if (delayMs > 0) await sleep(delayMs, undefined, { signal, ref: false });
    return signal.aborted;
  } catch {
    return true; // Only `cancel` ends a wait early.
  }
}

function statusItem(chain: StatusChain, status: 'sent' | 'delivered' | 'read' | 'failed', atMs: number): WebhookItem {
  const { message, recipient, number, failsLater } = chain;
  const item = chatappStatus({
    phoneNumberId: message.account,
    displayPhoneNumber: number.display.replace(/\D/g, ''),
    accountId: number.businessId,
    id: message.id,
    recipient,
    status,
    atMs,
  });
  const callback = textAt(message.body, 'biz_opaque_callback_data');
  return withStatusFields(item, {
    ...(callback !== undefined && { biz_opaque_callback_data: callback }),
    ...(failsLater && { errors: [failure(failsLater)] }),
  });
}

function failure({ code, message, details }: NonNullable<MessagingFault['failsLater']>): JsonObject {
  const title = message ?? `Scripted failure ${code}`;
  return { code, title, message: title, error_data: { details: details ?? title } };
}

function withStatusFields(item: WebhookItem, fields: JsonObject): WebhookItem {
  const { place } = item;
  if (place.in !== 'changes') return item;
  const { statuses } = place.value;
  const merged = (Array.isArray(statuses) ? statuses : []).map((status: JsonObject) => ({ ...status, ...fields }));
  return { ...item, place: { ...place, value: { ...place.value, statuses: merged } } };
}

function echoItem({ message, recipient }: Echo, appId: string): WebhookItem {
  const { text, attachment, attachments, reply_to: replyTo, metadata } = objectAt(message.body, 'message') ?? {};
  const list = attachments ?? attachment;
  const extra = {
    ...(message.product === 'pageapp' && { app_id: Number(appId) }),
    ...(list !== undefined && { attachments: Array.isArray(list) ? list : [list] }),
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(metadata !== undefined && { metadata }),
  };
  const echo = {
    accountId: message.account,
    from: recipient,
    id: message.id,
    atMs: message.atMs,
    isEcho: true,
    ...(typeof text === 'string' && { text }),
    extra,
  };
  return message.product === 'pageapp' ? pageappMessage(echo) : photoappMessage(echo);
}
