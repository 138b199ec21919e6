import { setTimeout as sleep } from 'node:timers/promises';
import { messageBytes, type PatientPoster, patientPoster } from '../harness/system/patient-poster.ts';

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

export interface Load extends Pick<PatientPoster, 'refusals'> {
  readonly acknowledged: readonly Acknowledged[];
  /** Resolves when open events have been acknowledged. */
  stop(): Promise<void>;
  /** Ends the load without waiting for open events, after an error of the run. */
  abandon(): Promise<void>;
}

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
  const laneCount = channels.length * conversationsEach;
  const paceMs = (laneCount / ratePerSecond) * 1_000;
  const poster = patientPoster({ webhookUrls: [webhookUrl], appSecret: platformSecret, connections: laneCount });
  let hasEnded = false;

  const converse = async (lane: number): Promise<void> => {
    const channel = channels[lane % channels.length]!;
    await sleep((paceMs / laneCount) * lane);
    for (let n = 0; !hasEnded && channel.isOpen(); n++) {
      const startedAtMs = performance.now();
      const { resourceId } = channel;
      const id = `m.${lane}.${n}`;
      const bytes = messageBytes({ resourceId, id, from: String(SENDER + lane) });
      sentAtMs.set(id, startedAtMs);
      const posts = Array.from({ length: n % TWICE_EVERY === 0 ? 2 : 1 }, () => poster.post(bytes));
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
    acknowledged,
    refusals: poster.refusals,
    stop,
    async abandon() {
      poster.abandon();
      await stop();
    },
  };
}
