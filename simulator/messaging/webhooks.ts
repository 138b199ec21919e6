import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelType } from '../../contract/event-types.ts';
import { objectAt } from '../scripted-api/parameters.ts';
import { messagingItem } from '../webhooks/accounts.ts';
import { chatappStatus } from '../webhooks/chatapp.ts';
import { encodeWebhook, envelope } from '../webhooks/envelope.ts';
import type { JsonObject, WebhookItem } from '../webhooks/item.ts';
import type { WebhookPoster } from '../webhooks/post-webhook.ts';
import type { WebhookDelays } from './control.ts';

interface Following {
  readonly message: SentMessage;
  readonly recipient: string;
  readonly realWords: boolean;
}

interface StatusChain extends Following {
  readonly number: { readonly number: string; readonly businessId: string };
}

interface Step {
  readonly delayMs: number | null;
  readonly item: () => WebhookItem;
}

const DEMO_APP_ID = 900_000_000_000_001;

/** An accepted message, even if its response was lost. */
export interface SentMessage {
  readonly id: string;
  readonly product: ChannelType;
  readonly account: string;
  readonly to: string;
  readonly recipientKind: 'person' | 'comment' | 'post' | 'ref';
  readonly type: string;
  /** Without credentials. */
  readonly body: JsonObject;
  readonly atMs: number;
}

export type MessagingWebhooks = ReturnType<typeof createMessagingWebhooks>;

/** The webhooks that follow an accepted message. */
export function createMessagingWebhooks({
  poster,
  now,
}: {
  readonly poster: WebhookPoster;
  readonly now: () => number;
}) {
  let cancelling = new AbortController();

  /** Delays count from the start, so that a slow post does not add to the next delay. */
  async function follow(steps: readonly Step[], realWords: boolean): Promise<void> {
    const { signal } = cancelling;
    const startedAtMs = performance.now();
    for (const { delayMs, item } of steps) {
      if (delayMs === null) continue;
      if (await isCancelled(startedAtMs + delayMs - performance.now(), signal)) return;
      await poster.post(encodeWebhook(envelope({ items: [item()], realWords })));
    }
  }

  return {
    statuses(chain: StatusChain, { sentMs, deliveredMs, readMs }: WebhookDelays): void {
      const steps = (['sent', 'delivered', 'read'] as const).map((status, index) => ({
        delayMs: [sentMs, deliveredMs, readMs][index] ?? null,
        item: () => statusItem(chain, status, now()),
      }));
      void follow(steps, chain.realWords);
    },
    echo(echo: Following, { echoMs }: WebhookDelays): void {
      void follow([{ delayMs: echoMs, item: () => echoItem(echo) }], echo.realWords);
    },
    cancel(): void {
      cancelling.abort();
      cancelling = new AbortController();
    },
  };
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

function statusItem({ message, recipient, number }: StatusChain, status: 'sent' | 'delivered' | 'read', atMs: number) {
  return chatappStatus({
    phoneNumberId: message.account,
    displayPhoneNumber: number.number.replace(/\D/g, ''),
    accountId: number.businessId,
    id: message.id,
    recipient,
    status,
    atMs,
  });
}

function echoItem({ message, recipient }: Following): WebhookItem {
  const { text, attachment, attachments } = objectAt(message.body, 'message') ?? {};
  const list = attachments ?? attachment;
  const product = message.product === 'pageapp' ? 'pageapp' : 'photoapp';
  const echo = {
    mid: message.id,
    ...(typeof text === 'string' && { text }),
    is_echo: true,
    ...(product === 'pageapp' && { app_id: DEMO_APP_ID }),
    ...(list !== undefined && { attachments: Array.isArray(list) ? list : [list] }),
  };
  return messagingItem(
    { product, accountId: message.account, from: recipient, atMs: message.atMs, isEcho: true },
    { platformMessageId: message.id, fields: { message: echo } },
  );
}
