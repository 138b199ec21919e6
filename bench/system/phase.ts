import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from './system.ts';
import type { Burst } from './traffic.ts';

export interface PhaseResult {
  /** By event number; 0 if it has not happened. */
  readonly sentAtMs: Float64Array;
  readonly answeredAtMs: Float64Array;
  readonly attemptedAtMs: Float64Array;
  readonly arrivedAtMs: Float64Array;
  readonly arrivalCount: number;
  /** Arrivals of deliveries that had arrived before, in this phase or the last one. */
  readonly repeatedCount: number;
}

export interface Phase extends Burst {
  /** Runs while the events are sent. */
  readonly meanwhile?: () => Promise<void>;
  /** Of these events, all must arrive before the phase ends. Default: all. */
  readonly mustArrive?: (sequence: number) => boolean;
}

const DEADLINE_MS = 90_000;
const POLL_MS = 200;

/** Sends events of which some receivers take long or refuse, and returns when the others have arrived. */
export async function runPhase(system: System, phase: Phase): Promise<PhaseResult> {
  const { meanwhile, mustArrive = () => true, ...burst } = phase;
  const { sink, publisher, webhookUrl, appSecret } = system;
  const { connections, ratePerSecond, ports, ...events } = burst;
  await sink.call('expect', { count: burst.count });
  await publisher.call('prepare', { ...events, webhookUrl, appSecret });
  const publishing = { connections, ...(ratePerSecond && { ratePerSecond }), ...(ports && { ports }) };
  const [published] = await Promise.all([publisher.call('publish', publishing), meanwhile?.()]);
  if (published.refusedCount > 0) throw new Error(`${published.refusedCount} webhooks were not answered 200`);
  const lateAtMs = performance.now() + DEADLINE_MS;
  for (;;) {
    const arrived = await sink.call('arrivals', undefined);
    const missing = arrived.arrivedAtMs.reduce(
      (count, atMs, sequence) => count + Number(atMs === 0 && mustArrive(sequence)),
      0,
    );
    if (missing === 0) return { ...published, ...arrived };
    if (performance.now() > lateAtMs) throw new Error(`${missing} events did not arrive`);
    await sleep(POLL_MS);
  }
}
