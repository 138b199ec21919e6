import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../harness/until.ts';
import type { Fault, FaultKind } from './faults.ts';
import { refusedCount } from '../harness/system/patient-poster.ts';
import type { Load } from './load.ts';
import type { Random } from '../harness/random.ts';

/** One or two nearly simultaneous faults, and the recovery from them. */
export interface InjectedFault {
  readonly kinds: readonly FaultKind[];
  readonly atMs: number;
  /** From the first fault until the last was lifted. */
  readonly heldMs: number;
  /** Responses to the platform other than 200 during the strike. */
  readonly refusedCount: number;
  /**
   * From the start of recovery until each healthy destination received an event sent after it. Null if that never
   * happened.
   */
  readonly recoveryMs: number | null;
}

export interface InjectOptions {
  readonly faults: readonly Fault[];
  readonly random: Random;
  readonly durationMs: number;
  /** True for faults that can't be repeated. They come in the middle. */
  readonly isOnce: boolean;
  readonly load: Load;
  readonly hasArrivedSince: (sentAfterMs: number) => boolean;
  readonly say: (text: string) => void;
}

const HELD_MS = [500, 4_000] as const;
/** The second fault may hit the recovery from the first. */
const APART_MS = [0, 3_000] as const;
const SHARE_OF_PAIRS = 0.35;
const GAP_MS = [300, 3_000] as const;
const RECOVERY_DEADLINE_MS = 240_000;
/** A fault that refuses events lasts until one is refused, which takes some time on a busy machine. */
const REFUSAL_DEADLINE_MS = 60_000;

export async function injectAtRandom(options: InjectOptions): Promise<InjectedFault[]> {
  const { durationMs, isOnce } = options;
  if (!isOnce) return await injectUntilEnd(options);
  await sleep(durationMs / 2);
  const strikes = await injectUntilEnd({ ...options, durationMs: 0 });
  await sleep(durationMs / 2);
  return strikes;
}

async function injectUntilEnd(options: InjectOptions): Promise<InjectedFault[]> {
  const { random, faults, durationMs, say } = options;
  const beganAtMs = performance.now();
  const strikes: InjectedFault[] = [];
  const bag: Fault[] = [];
  const draw = (): Fault => {
    if (bag.length === 0) bag.push(...random.shuffled(faults));
    return bag.pop()!;
  };
  let drawnCount = 0;
  while (drawnCount < faults.length || performance.now() - beganAtMs < durationMs) {
    await sleep(random.between(...GAP_MS));
    const struck = [draw()];
    const isPair = faults.length > 1 && random.chance(SHARE_OF_PAIRS);
    const second = isPair ? draw() : undefined;
    if (second && second !== struck[0]) struck.push(second);
    drawnCount += isPair ? 2 : 1;
    const atMs = Math.round(performance.now() - beganAtMs);
    const strike = { atMs, ...(await injectOnce(struck, options)) };
    strikes.push(strike);
    say(describe(strike));
    if (strike.recoveryMs === null) break; // Later results would mean nothing.
  }
  return strikes;
}

async function injectOnce(struck: readonly Fault[], { random, load, hasArrivedSince }: InjectOptions) {
  const beganAtMs = performance.now();
  const refusedBefore = refusedCount(load);
  const times = struck.map((fault, index) => ({
    afterMs: index === 0 ? 0 : random.between(...APART_MS),
    heldMs: fault.heldMs ?? random.between(...HELD_MS),
  }));
  let lastLiftAtMs = beganAtMs;
  await Promise.all(
    struck.map(async (fault, index) => {
      const { afterMs, heldMs } = times[index]!;
      await sleep(afterMs);
      await fault.inject();
      await sleep(heldMs);
      if (fault.refusesEvents) await untilRefused(load, refusedBefore);
      lastLiftAtMs = Math.max(lastLiftAtMs, performance.now());
      await fault.lift();
    }),
  );
  const recoveredAtMs = await until(() => hasArrivedSince(lastLiftAtMs) && performance.now(), {
    for: 'The recovery',
    timeoutMs: RECOVERY_DEADLINE_MS,
  }).catch(() => null);
  return {
    kinds: struck.map(({ kind }) => kind),
    heldMs: Math.round(lastLiftAtMs - beganAtMs),
    refusedCount: refusedCount(load) - refusedBefore,
    recoveryMs: recoveredAtMs === null ? null : Math.round(recoveredAtMs - lastLiftAtMs),
  };
}

/** The report shows a fault that has refused none. */
async function untilRefused(load: Load, before: number): Promise<void> {
  const isRefused = (): boolean => refusedCount(load) > before;
  await until(isRefused, { for: 'A refused event', timeoutMs: REFUSAL_DEADLINE_MS }).catch(() => undefined);
}

function describe({ kinds, atMs, heldMs, refusedCount: refused, recoveryMs }: InjectedFault): string {
  const back = recoveryMs === null ? 'NOT back' : `back after ${(recoveryMs / 1_000).toFixed(1)} s`;
  const [at, held] = [atMs, heldMs].map((ms) => (ms / 1_000).toFixed(1));
  return `${at} s: ${kinds.join(' + ')} for ${held} s, ${refused} refused, ${back}`;
}
