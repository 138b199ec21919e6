import { setTimeout as sleep } from 'node:timers/promises';
import type { PublisherCalls } from '../remotes/publisher-process.ts';
import type { Remote } from '../remotes/remote.ts';
import type { SinkCalls } from '../remotes/sink-process.ts';
import type { BenchEvents } from '../remotes/webhooks.ts';

/** What a burst is sent to: the service, or the floor. */
export interface Target {
  readonly sink: Remote<SinkCalls>;
  readonly publisher: Remote<PublisherCalls>;
  readonly webhookUrl: string;
  readonly appSecret: string;
  /** Returns whether an event has arrived but its end is not yet recorded. */
  hasWaiting(): Promise<boolean>;
}

export interface Burst extends BenchEvents {
  /** Optional. Default: as many as the platform may have open. */
  readonly connections?: number;
  /** Optional. Default: each connection sends as soon as the last request is answered. */
  readonly ratePerSecond?: number;
}

/** Times by event number; 0 if it has not happened. */
interface Sent {
  readonly sentAtMs: Float64Array;
  readonly answeredAtMs: Float64Array;
}

export interface BurstResult extends Sent {
  readonly arrivedAtMs: Float64Array;
  readonly lastArrivedAtMs: number;
  readonly lostCount: number;
  readonly duplicateCount: number;
}

/** The platform may have this many connections open. */
export const CONNECTIONS = 128;
export const WARM_UP_EVENTS = 10_000;
const ARRIVAL_DEADLINE_MS = 120_000;
const PHASE_DEADLINE_MS = 90_000;
const PHASE_POLL_MS = 200;
const POLL_MS = 20;

/** Signs bodies in advance, so that this time is not measured. Returns what publishes them. */
export async function prepareEvents(target: Target, burst: Burst): Promise<() => Promise<Sent>> {
  const { sink, publisher, webhookUrl, appSecret } = target;
  const { connections = CONNECTIONS, ratePerSecond, ...events } = burst;
  await sink.call('expect', { count: burst.count });
  await publisher.call('prepare', { ...events, webhookUrl, appSecret });
  return async () => {
    const { refusedCount, ...times } = await publisher.call('publish', { connections, ratePerSecond });
    if (refusedCount > 0) throw new Error(`${refusedCount} webhooks were not answered 200`);
    return times;
  };
}

/** The returned function ends with the last arrival. */
export async function prepareBurst(target: Target, burst: Burst): Promise<() => Promise<BurstResult>> {
  const publish = await prepareEvents(target, burst);
  return async () => {
    const times = await publish();
    await target.sink.call('waitFor', { count: burst.count, timeoutMs: ARRIVAL_DEADLINE_MS });
    const arrived = await target.sink.call('arrivals', undefined);
    return {
      ...times,
      ...arrived,
      lostCount: burst.count - arrived.distinctCount,
      duplicateCount: arrived.arrivalCount - arrived.distinctCount,
    };
  };
}

export async function sendBurst(target: Target, burst: Burst): Promise<BurstResult> {
  const send = await prepareBurst(target, burst);
  const result = await send();
  throwIfLost(result);
  await untilSettled(target);
  return result;
}

export interface Phase extends Burst {
  /** Runs while the events are sent. */
  readonly meanwhile?: () => Promise<void>;
  /** Of these events, all must arrive before the phase ends. Default: all. */
  readonly mustArrive?: (sequence: number) => boolean;
}

/** Sends events of which some receivers take long or refuse, and returns when the others have arrived. */
export async function runPhase(target: Target, { meanwhile, mustArrive = () => true, ...burst }: Phase) {
  const publish = await prepareEvents(target, burst);
  const [sent] = await Promise.all([publish(), meanwhile?.()]);
  const lateAtMs = performance.now() + PHASE_DEADLINE_MS;
  for (;;) {
    const arrived = await target.sink.call('arrivals', undefined);
    const missing = [...arrived.arrivedAtMs].filter((atMs, sequence) => atMs === 0 && mustArrive(sequence)).length;
    if (missing === 0) return { ...sent, ...arrived };
    if (performance.now() > lateAtMs) throw new Error(`${missing} events did not arrive`);
    await sleep(PHASE_POLL_MS);
  }
}

/** Loss or duplicates invalidate a run. */
export function throwIfLost({ lostCount, duplicateCount }: Pick<BurstResult, 'lostCount' | 'duplicateCount'>): void {
  if (lostCount + duplicateCount > 0) throw new Error(`${lostCount} events were lost and ${duplicateCount} doubled`);
}

export async function untilSettled(target: Pick<Target, 'hasWaiting'>): Promise<void> {
  while (await target.hasWaiting()) await sleep(POLL_MS);
}
