import { prepareBurst, throwIfLost, untilSettled, type Burst, type Target } from '../system/traffic.ts';
import { costOf, type Cost, type CpuSeconds } from './cost.ts';
import { durationsMs } from './statistics.ts';

export interface MeasuredTarget extends Target {
  cpuSeconds(): CpuSeconds;
  /** Optional. The floor sleeps unless something is sent to it. */
  whileAwake?<Result>(act: () => Promise<Result>): Promise<Result>;
}

export interface BurstFigures {
  /** From the first POST to the last arrival. */
  readonly eventsPerSecond: number;
  /** Until the last delivery was recorded. */
  readonly seconds: number;
  readonly cost: Cost;
  /** From a POST to its 200. */
  readonly acceptedMs: Float64Array;
  /** From the 200 to the arrival. An event may arrive first, which counts as 0. */
  readonly arrivedMs: Float64Array;
}

export interface BurstRun extends Burst {
  /** Optional. Default: waits until nothing waits. */
  readonly isSettled?: () => Promise<void>;
}

/** Loss or duplicates end the row. */
export async function measureBurst(target: MeasuredTarget, run: BurstRun): Promise<BurstFigures> {
  const measure = (): Promise<BurstFigures> => measureAwake(target, run);
  return await (target.whileAwake?.(measure) ?? measure());
}

async function measureAwake(target: MeasuredTarget, run: BurstRun): Promise<BurstFigures> {
  const { isSettled = () => untilSettled(target), ...burst } = run;
  const send = await prepareBurst(target, burst);
  const before = target.cpuSeconds();
  const startedAtMs = performance.now();
  const { sentAtMs, answeredAtMs, arrivedAtMs, lastArrivedAtMs, ...counts } = await send();
  throwIfLost(counts);
  await isSettled();
  const seconds = (performance.now() - startedAtMs) / 1000;
  const cost = costOf(before, target.cpuSeconds(), run.count);
  const firstSentAtMs = sentAtMs.reduce((first, atMs) => Math.min(first, atMs));
  return {
    eventsPerSecond: (run.count / (lastArrivedAtMs - firstSentAtMs)) * 1000,
    seconds,
    cost,
    acceptedMs: durationsMs(sentAtMs, answeredAtMs),
    arrivedMs: durationsMs(answeredAtMs, arrivedAtMs).map((ms) => Math.max(ms, 0)),
  };
}
