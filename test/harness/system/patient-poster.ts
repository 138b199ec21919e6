import { setTimeout as sleep } from 'node:timers/promises';
import { chatappMessage } from '../../../simulator/webhooks/chatapp.ts';
import { encodeWebhook, envelope } from '../../../simulator/webhooks/envelope.ts';
import { createWebhookPoster } from '../../../simulator/webhooks/post-webhook.ts';

interface PatientPosterOptions {
  /** They are used in turn. */
  readonly webhookUrls: readonly string[];
  readonly appSecret: string;
  readonly connections?: number;
  readonly againMs?: number;
  /** Optional. Default: never. */
  readonly giveUpMs?: number;
}

/** Posts each event until it is answered 200. */
export interface PatientPoster {
  /** Returns when the post began that was answered 200, by the monotonic clock. */
  post(bytes: Uint8Array): Promise<number>;
  /** Answers other than 200 by status; `none` for no answer. */
  readonly refusals: ReadonlyMap<string, number>;
  /** From now on, no event is posted again. */
  abandon(): void;
  close(): Promise<void>;
}

export function patientPoster(options: PatientPosterOptions): PatientPoster {
  const { webhookUrls, appSecret, connections = 64, againMs = 200, giveUpMs = Number.POSITIVE_INFINITY } = options;
  const refusals = new Map<string, number>();
  const retries = { count: 0, firstDelayMs: 0 };
  const posters = webhookUrls.map((webhookUrl) => createWebhookPoster({ webhookUrl, appSecret, connections, retries }));
  let turn = 0;
  let isAbandoned = false;
  return {
    refusals,
    async post(bytes) {
      const untilMs = performance.now() + giveUpMs;
      for (;;) {
        const postedAtMs = performance.now();
        const { status } = await posters[turn++ % posters.length]!.post(bytes);
        if (status === 200 || isAbandoned) return postedAtMs;
        const how = String(status ?? 'none');
        refusals.set(how, (refusals.get(how) ?? 0) + 1);
        if (performance.now() > untilMs) throw new Error(`An event was not taken within ${giveUpMs / 1000} s`);
        await sleep(againMs);
      }
    },
    abandon: () => void (isAbandoned = true),
    close: async () => void (await Promise.all(posters.map((poster) => poster.close()))),
  };
}

export function refusedCount({ refusals }: Pick<PatientPoster, 'refusals'>): number {
  return [...refusals.values()].reduce((sum, count) => sum + count, 0);
}

export function messageBytes({ resourceId, id, from }: { resourceId: string; id: string; from: string }): Uint8Array {
  const item = chatappMessage({ phoneNumberId: resourceId, id, from, atMs: Date.now(), text: `Message ${id}` });
  return encodeWebhook(envelope({ items: [item] }));
}
