import { join } from 'node:path';
import type { StopList } from '../../dev/processes/stop-list.ts';
import type { PublisherCalls } from '../remotes/publisher-process.ts';
import { startRemote } from '../remotes/remote.ts';
import type { SinkCalls } from '../remotes/sink-process.ts';

export interface StartFarSide {
  readonly stops: StopList;
  readonly pids: Record<string, number | undefined>;
}

const remotes = join(import.meta.dirname, '../remotes');

/** The processes that no system is charged for. */
export const farSide: ReadonlySet<string> = new Set(['publisher', 'sink']);

export async function startFarSide({ stops, pids }: StartFarSide) {
  const sink = await startRemote<SinkCalls>(join(remotes, 'sink-process.ts'));
  stops.add({ name: 'sink', stop: sink.stop });
  const publisher = await startRemote<PublisherCalls>(join(remotes, 'publisher-process.ts'));
  stops.add({ name: 'publisher', stop: publisher.stop });
  Object.assign(pids, { sink: sink.pid, publisher: publisher.pid });
  return { sink, publisher, sinkUrl: await sink.call('address', undefined) };
}
