import type { Acknowledged } from '../../../faults/load.ts';
import type { Hook } from './receivers.ts';

export const phaseNames = ['before', 'upgrade', 'upgraded', 'rollback', 'rolled back'] as const;
export type PhaseName = (typeof phaseNames)[number];

export interface Phase {
  readonly name: PhaseName;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Notes when each phase begins. */
export class PhaseClock {
  readonly phases: Phase[] = [];
  #begun: { readonly name: PhaseName; readonly fromMs: number } | undefined;

  begin(name: PhaseName): void {
    this.end();
    this.#begun = { name, fromMs: performance.now() };
  }

  end(): void {
    if (this.#begun) this.phases.push({ ...this.#begun, toMs: performance.now() });
    this.#begun = undefined;
  }
}

export interface PhaseFigures {
  readonly name: PhaseName;
  readonly seconds: number;
  readonly delivered: number;
  /** From the post that was acknowledged until the first arrival at a healthy receiver. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

export interface Delivered {
  readonly acknowledged: readonly Acknowledged[];
  /** Healthy receivers by the resource id of their channel. */
  readonly hooks: ReadonlyMap<string, Hook>;
}

export function figuresOf(phases: readonly Phase[], { acknowledged, hooks }: Delivered): PhaseFigures[] {
  const timed = acknowledged.flatMap(({ id, resourceId, postedAtMs }) => {
    const arrivedAtMs = hooks.get(resourceId)?.arrivedAtMs.get(id);
    return arrivedAtMs === undefined ? [] : [{ postedAtMs, latencyMs: arrivedAtMs - postedAtMs }];
  });
  return phases.map(({ name, fromMs, toMs }) => {
    const latencies = timed
      .filter(({ postedAtMs }) => postedAtMs >= fromMs && postedAtMs < toMs)
      .map(({ latencyMs }) => latencyMs)
      .sort((one, other) => one - other);
    return {
      name,
      seconds: Math.round((toMs - fromMs) / 1_000),
      delivered: latencies.length,
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
    };
  });
}

function quantile(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? null : Math.round(value);
}
