import { messageBytes, patientPoster, refusedCount } from './patient-poster.ts';

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
const FIRST_SENDER = 15_550_000_000;
/** Longer than a killed process needs to start again on a busy machine. */
const GIVE_UP_MS = 240_000;

/**
 * Repeats each event until it is answered 200 and only then sends the next of its conversation, so that the order of
 * acknowledgements is known.
 */
export function publishBurst(options: BurstOptions): Burst {
  const { apiUrls, platformSecret, resourceIds, count, from = 0, lanes = 32 } = options;
  const { prefix = 'm', firstSender = FIRST_SENDER } = options;
  const acknowledged: string[] = [];
  const webhookUrls = apiUrls.map((url) => `${url}/platform/webhooks`);
  const poster = patientPoster({
    webhookUrls,
    appSecret: platformSecret,
    connections: lanes,
    againMs: RETRY_MS,
    giveUpMs: GIVE_UP_MS,
  });
  const converse = async (lane: number): Promise<void> => {
    const resourceId = resourceIds[lane % resourceIds.length]!;
    for (let n = from + lane; n < from + count; n += lanes) {
      const id = `${prefix}.${lane}.${n}`;
      const bytes = messageBytes({ resourceId, id, from: String(firstSender + lane) });
      const isTwice = options.duplicateEvery !== undefined && n % options.duplicateEvery === 0;
      await Promise.all(Array.from({ length: isTwice ? 2 : 1 }, () => poster.post(bytes)));
      acknowledged.push(id);
    }
  };
  const done = Promise.all(Array.from({ length: lanes }, (_, lane) => converse(lane)))
    .then(() => undefined)
    .finally(() => poster.close());
  return { acknowledged, refusedCount: () => refusedCount(poster), done };
}
