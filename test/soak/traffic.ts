import { setTimeout as sleep } from 'node:timers/promises';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { messageBytes, patientPoster } from '../harness/system/patient-poster.ts';
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

const SENDER = 15_550_000_000;

/** Sends each conversation's next event when the one before is acknowledged, so that their order is known. */
export function startTraffic(options: TrafficOptions, stops: StopList): Traffic {
  const { webhookUrl, platformSecret, sources, elapsedMs } = options;
  const ending = new AbortController();
  const poster = patientPoster({ webhookUrls: [webhookUrl], appSecret: platformSecret });
  const acknowledgedAtMs = new Map(sources.map(({ profile }) => [profile.name, new Map<string, number>()]));
  let isAbandoned = false;

  const converse = async (source: TrafficOptions['sources'][number], conversation: number): Promise<void> => {
    const { profile, resourceId } = source;
    const { name, conversations, paceMs } = profile;
    const from = String(SENDER + sources.indexOf(source) * 1_000 + conversation);
    await pause((paceMs(0) / conversations) * conversation);
    for (let n = 0; !ending.signal.aborted; n++) {
      const id = `${name}.${conversation}.${n}`;
      await poster.post(messageBytes({ resourceId, id, from }));
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
    poster.abandon();
    await stop();
  };
  stops.add({ name: 'traffic', stop: abandon });
  return { acknowledgedAtMs, stop };
}
