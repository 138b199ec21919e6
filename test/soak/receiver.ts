import type { StopList } from '../../dev/processes/stop-list.ts';
import { startSink } from '../../simulator/sink.ts';
import { ArrivalRecord } from '../harness/system/arrival-record.ts';
import type { Profile } from './profiles.ts';

/** A receiver for all profiles, each with a path of its own. */
export interface SoakReceiver {
  urlOf(name: string, version?: number): string;
  recordOf(name: string): ArrivalRecord;
  /** From now on, everything is accepted at once. */
  heal(): void;
}

export interface SoakReceiverOptions {
  readonly profiles: readonly Profile[];
  readonly elapsedMs: () => number;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

/** Debounced deliveries have several. */
const MESSAGE_IDS = /"id":"([a-z]+\.\d+\.\d+)"/g;

export async function startSoakReceiver(options: SoakReceiverOptions, stops: StopList): Promise<SoakReceiver> {
  const { profiles, elapsedMs, random } = options;
  const byName = new Map(profiles.map((profile) => [profile.name, { profile, record: new ArrivalRecord() }]));
  const at = (path: string) => byName.get(path.split('/')[1] ?? '');
  let isHealed = false;
  const sink = await startSink({
    port: 0,
    answerTo: (path) => (isHealed ? {} : at(path)?.profile.answer?.(elapsedMs(), random())),
    onRequest({ path, body }) {
      const ids = [...String(body).matchAll(MESSAGE_IDS)].map(([, id = '']) => id);
      for (const id of ids) at(path)?.record.add(id, 0);
    },
  });
  stops.add({ name: 'receiver', stop: () => sink.stop() });
  return {
    urlOf: (name, version = 1) => `${sink.url}/${name}/${version}`,
    recordOf: (name) => byName.get(name)!.record,
    heal: () => void (isHealed = true),
  };
}
