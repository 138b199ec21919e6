import { setTimeout as sleep } from 'node:timers/promises';
import { createWebhookPoster } from '../../simulator/webhooks/post-webhook.ts';
import { chatappMessage } from '../../simulator/webhooks/chatapp.ts';
import { encodeWebhook } from '../../simulator/webhooks/encode.ts';
import { envelope } from '../../simulator/webhooks/envelope.ts';

export interface LoadOptions {
  readonly webhookUrl: string;
  readonly platformSecret: string;
  readonly channels: readonly { readonly resourceId: string; isOpen(): boolean }[];
  readonly conversationsEach: number;
  readonly ratePerSecond: number;
  /** Filled with the time of each message's first post, by the monotonic clock. */
  readonly sentAtMs: Map<string, number>;
}

export interface Acknowledged {
  readonly id: string;
  readonly resourceId: string;
  /** When the post began that was acknowledged, by the monotonic clock. */
  readonly postedAtMs: number;
}

export interface Load {
  readonly acknowledged: readonly Acknowledged[];
  /** Responses other than 200 by status, `none` for no response. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Resolves when open events have been acknowledged. */
  stop(): Promise<void>;
  /** Ends the load without waiting for open events, after an error of the run. */
  abandon(): Promise<void>;
}

const AGAIN_MS = 200;
/** Every n-th event is sent twice concurrently, as the platform sometimes does. */
const TWICE_EVERY = 10;
const SENDER = 15_550_000_000;

/**
 * Sends conversations at a steady pace. Repeats each event until it is answered 200 and only then sends the next of its
 * conversation, so that the order of acknowledgements is known.
 */
export function startLoad(options: LoadOptions): Load {
  const { webhookUrl, platformSecret, channels, conversationsEach, ratePerSecond, sentAtMs } = options;
  const acknowledged: Acknowledged[] = [];
  const refusals = new Map<string, number>();
  const laneCount = channels.length * conversationsEach;
  const paceMs = (laneCount / ratePerSecond) * 1_000;
  const poster = createWebhookPoster({
    webhookUrl,
    appSecret: platformSecret,
    connections: laneCount,
    retries: { count: 0, firstDelayMs: 0 },
  });
  let hasEnded = false;
  let isAbandoned = false;

  const postUntilTaken = async (bytes: Uint8Array): Promise<number> => {
    for (;;) {
      const postedAtMs = performance.now();
      const { status } = await poster.post(bytes);
      if (status === 200 || isAbandoned) return postedAtMs;
      const how = String(status ?? 'none');
      refusals.set(how, (refusals.get(how) ?? 0) + 1);
      await sleep(AGAIN_MS);
    }
  };

  const converse = async (lane: number): Promise<void> => {
    const channel = channels[lane % channels.length]!;
    await sleep((paceMs / laneCount) * lane);
    for (let n = 0; !hasEnded && channel.isOpen(); n++) {
      const startedAtMs = performance.now();
      const { resourceId } = channel;
      const id = `m.${lane}.${n}`;
      const bytes = message({ resourceId, id, from: String(SENDER + lane) });
      sentAtMs.set(id, startedAtMs);
      const posts = Array.from({ length: n % TWICE_EVERY === 0 ? 2 : 1 }, () => postUntilTaken(bytes));
      acknowledged.push({ id, resourceId, postedAtMs: Math.min(...(await Promise.all(posts))) });
      await sleep(Math.max(0, paceMs - (performance.now() - startedAtMs)));
    }
  };

  const lanes = Promise.all(Array.from({ length: laneCount }, (_, lane) => converse(lane)));
  lanes.catch(() => undefined); // `stop` throws the error.
  const stop = async (): Promise<void> => {
    hasEnded = true;
    await lanes;
    await poster.close();
  };
  return {
    ...{ acknowledged, refusals, stop },
    async abandon() {
      isAbandoned = true;
      await stop();
    },
  };
}

export function message({ resourceId, id, from }: { resourceId: string; id: string; from: string }): Uint8Array {
  const text = `Message ${id}`;
  const item = chatappMessage({ phoneNumberId: resourceId, id, from, atMs: Date.now(), text });
  return encodeWebhook(envelope({ items: [item] }));
}

export function refusedCount({ refusals }: Pick<Load, 'refusals'>): number {
  return [...refusals.values()].reduce((sum, count) => sum + count, 0);
}
