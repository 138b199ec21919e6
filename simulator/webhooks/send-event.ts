import { fewAtATime } from '../../contract/few-at-a-time.ts';
import { createHash } from 'node:crypto';
import type { ControlEvent } from './control-event.ts';
import { eventItems, type EventSource } from './event-items.ts';
import type { PostedWebhook, WebhookPoster } from './post-webhook.ts';
import { encodeWebhook } from './encode.ts';
import { envelope } from './envelope.ts';
import type { WebhookItem } from './item.ts';

export interface SentWebhook extends PostedWebhook {
  readonly platformMessageIds: readonly string[];
  readonly bodySha256: string;
}

interface Outgoing {
  readonly bytes: Uint8Array;
  readonly platformMessageIds: readonly string[];
}

/** Results keep the order of sending. */
export async function sendEvent(
  poster: WebhookPoster,
  event: ControlEvent,
  source: EventSource,
): Promise<SentWebhook[]> {
  const items = eventItems(event, source);
  const groups = event.batch ? [items] : items.map((item) => [item]);
  const requests = groups.map((group) => outgoing(event, group));
  const repeated = event.duplicate ? requests.flatMap((request) => [request, request]) : requests;
  const ordered = event.shuffle ? outOfOrder(repeated) : repeated;

  const sent: SentWebhook[] = [];
  await fewAtATime(ordered, event.concurrency, async (request, index) => {
    sent[index] = await sendBytes(poster, request);
  });
  return sent;
}

export async function sendBytes(poster: WebhookPoster, { bytes, platformMessageIds }: Outgoing): Promise<SentWebhook> {
  const posted = await poster.post(bytes);
  return { ...posted, platformMessageIds, bodySha256: createHash('sha256').update(bytes).digest('hex') };
}

function outgoing({ merge, realWords }: ControlEvent, items: readonly WebhookItem[]): Outgoing {
  return {
    bytes: encodeWebhook(envelope({ items, merge, realWords })),
    platformMessageIds: items.flatMap(({ platformMessageId }) => platformMessageId ?? []),
  };
}

/** Reverses an order that shuffling left unchanged. */
function outOfOrder<T>(list: readonly T[]): T[] {
  const keyed = list.map((request) => ({ request, rank: Math.random() }));
  const shuffled = keyed.sort((a, b) => a.rank - b.rank).map(({ request }) => request);
  return shuffled.every((request, index) => request === list[index]) ? shuffled.reverse() : shuffled;
}
