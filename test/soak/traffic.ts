import { setTimeout as sleep } from 'node:timers/promises';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { createWebhookPoster } from '../../simulator/webhooks/post-webhook.ts';
import { message } from '../faults/load.ts';
import type { Profile } from './profiles.ts';

export interface TrafficOptions {
  readonly webhookUrl: string;
  readonly platformSecret: string;
  readonly sources: readonly { readonly profile: Profile; readonly resourceId: string }[];
  readonly elapsedMs: () => number;
}

export interface Traffic {
  /** When each event of a profile was acknowledged, by its message id. */
  readonly acknowledgedAtMs: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Ends the traffic when open posts are acknowledged. */
  stop(): Promise<void>;
}

const AGAIN_MS = 250;
const SENDER = 15_550_000_000;

/** Sends each conversation's next event when the one before is acknowledged, so that their order is known. */
export function startTraffic(options: TrafficOptions, stops: StopList): Traffic {
  const { webhookUrl, platformSecret, sources, elapsedMs } = options;
  const ending = new AbortController();
  const poster = createWebhookPoster({
    webhookUrl,
    appSecret: platformSecret,
    retries: { count: 0, firstDelayMs: 0 },
  });
  const acknowledgedAtMs = new Map(sources.map(({ profile }) => [profile.name, new Map<string, number>()]));
  let isAbandoned = false;

  const post = async (bytes: Uint8Array): Promise<void> => {
    while (!isAbandoned && (await poster.post(bytes)).status !== 200) await sleep(AGAIN_MS);
  };

  const converse = async (source: TrafficOptions['sources'][number], conversation: number): Promise<void> => {
    const { profile, resourceId } = source;
    const { name, conversations, paceMs } = profile;
    const from = String(SENDER + sources.indexOf(source) * 1_000 + conversation);
    await pause((paceMs(0) / conversations) * conversation);
    for (let n = 0; !ending.signal.aborted; n++) {
      const id = `${name}.${conversation}.${n}`;
      await post(message({ resourceId, id, from }));
      if (!isAbandoned) acknowledgedAtMs.get(name)!.set(id, elapsedMs());
      await pause(paceMs(elapsedMs()));
    }
  };
  const pause = async (ms: number): Promise<void> => {
    await sleep(ms, undefined, { signal: ending.signal }).catch(() => undefined);
  };

  const lanes = sources.flatMap((source) =>
    Array.from({ length: source.profile.conversations }, (_, conversation) => converse(source, conversation)),
  );
  const stop = async (): Promise<void> => {
    ending.abort();
    await Promise.all(lanes);
    await poster.close();
  };
  const abandon = async (): Promise<void> => {
    isAbandoned = true;
    await stop();
  };
  stops.add({ name: 'traffic', stop: abandon });
  return { acknowledgedAtMs, stop };
}
