import { setTimeout as sleep } from 'node:timers/promises';
import { createWebhookPoster, type WebhookPoster } from '../../../simulator/webhooks/post-webhook.ts';
import { chatappMessage } from '../../../simulator/webhooks/chatapp.ts';
import { encodeWebhook } from '../../../simulator/webhooks/encode.ts';
import { envelope } from '../../../simulator/webhooks/envelope.ts';

export interface BurstOptions {
  readonly apiUrls: readonly string[];
  readonly platformSecret: string;
  readonly resourceIds: readonly string[];
  readonly count: number;
  /** Optional. Number of the first event, a multiple of `lanes`. Default: 0. */
  readonly from?: number;
  readonly prefix?: string;
  /** Optional. Sends every n-th event twice concurrently, as the platform sometimes does. */
  readonly duplicateEvery?: number;
  readonly lanes?: number;
  /** Optional. Number of the first lane's sender; each lane has one. Default: 15550000000. */
  readonly firstSender?: number;
}

export interface Burst {
  /** Ids of messages that were answered 200, in order. */
  readonly acknowledged: string[];
  readonly refusedCount: () => number;
  readonly done: Promise<void>;
}

const RETRY_MS = 50;
/** Longer than a killed process needs to start again on a busy machine. */
const GIVE_UP_MS = 240_000;

/**
 * Repeats each event until it is answered 200 and only then sends the next of its conversation, so that the order of
 * acknowledgements is known.
 */
export function publishBurst(options: BurstOptions): Burst {
  const { apiUrls, platformSecret, count, from = 0, lanes = 32 } = options;
  const acknowledged: string[] = [];
  let refusedCount = 0;
  const posters = apiUrls.map((url) =>
    createWebhookPoster({
      webhookUrl: `${url}/platform/webhooks`,
      appSecret: platformSecret,
      connections: lanes,
      retries: { count: 0, firstDelayMs: 0 },
    }),
  );
  let turn = 0;
  const nextPoster = (): WebhookPoster => posters[turn++ % posters.length]!;

  const lane = async (first: number): Promise<void> => {
    for (let n = from + first; n < from + count; n += lanes) {
      const { id, bytes } = message(options, { lane: first, n });
      const isTwice = options.duplicateEvery !== undefined && n % options.duplicateEvery === 0;
      await Promise.all(Array.from({ length: isTwice ? 2 : 1 }, () => postUntilTaken(bytes)));
      acknowledged.push(id);
    }
  };

  async function postUntilTaken(bytes: Uint8Array): Promise<void> {
    const untilMs = performance.now() + GIVE_UP_MS;
    while ((await nextPoster().post(bytes)).status !== 200) {
      refusedCount++;
      if (performance.now() > untilMs) throw new Error(`An event was not taken within ${GIVE_UP_MS / 1000} s`);
      await sleep(RETRY_MS);
    }
  }

  const done = Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)))
    .then(() => undefined)
    .finally(() => Promise.all(posters.map((poster) => poster.close())));
  return { acknowledged, refusedCount: () => refusedCount, done };
}

const FIRST_SENDER = 15_550_000_000;

function message(options: BurstOptions, { lane, n }: { lane: number; n: number }) {
  const { resourceIds, prefix = 'm', firstSender = FIRST_SENDER } = options;
  const id = `${prefix}.${lane}.${n}`;
  const phoneNumberId = resourceIds[lane % resourceIds.length]!;
  const from = String(firstSender + lane);
  const item = chatappMessage({ phoneNumberId, id, from, atMs: Date.now(), text: `Message ${n} of ${from}` });
  return { id, bytes: encodeWebhook(envelope({ items: [item] })) };
}
