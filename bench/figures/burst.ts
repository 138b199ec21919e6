import { prepareBurst, throwIfLost, untilSettled, type Burst, type Target } from '../system/traffic.ts';
import { costOf, type Cost, type CpuSeconds } from './cost.ts';
import { durationsMs } from './figures.ts';

export const END_TO_END = 'end to end, first POST to last arrival';

export interface MeasuredTarget extends Target {
  cpuSeconds(): CpuSeconds;
  /** Optional. The floor sleeps unless something is sent to it. */
  whileAwake?<Result>(act: () => Promise<Result>): Promise<Result>;
}

export interface BurstFigures {
  /** From the first POST to the last arrival. */
  readonly eventsPerSecond: number;
  readonly cost: Cost;
  /** From a POST to its 200. */
  readonly acceptedMs: Float64Array;
  /** From the 200 to the arrival. An event may arrive first, which counts as 0. */
  readonly arrivedMs: Float64Array;
}

/** Loss or duplicates end the row. */
export async function measureBurst(target: MeasuredTarget, burst: Burst): Promise<BurstFigures> {
  const measure = (): Promise<BurstFigures> => measureAwake(target, burst);
  return await (target.whileAwake?.(measure) ?? measure());
}

async function measureAwake(target: MeasuredTarget, burst: Burst): Promise<BurstFigures> {
  const send = await prepareBurst(target, burst);
  const before = target.cpuSeconds();
  const { sentAtMs, answeredAtMs, arrivedAtMs, lastArrivedAtMs, ...counts } = await send();
  throwIfLost(counts);
  await untilSettled(target);
  const firstSentAtMs = sentAtMs.reduce((first, atMs) => Math.min(first, atMs));
  return {
    eventsPerSecond: (burst.count / (lastArrivedAtMs - firstSentAtMs)) * 1000,
    cost: costOf(before, target.cpuSeconds(), burst.count),
    acceptedMs: durationsMs(sentAtMs, answeredAtMs),
    arrivedMs: durationsMs(answeredAtMs, arrivedAtMs).map((ms) => Math.max(ms, 0)),
  };
}
