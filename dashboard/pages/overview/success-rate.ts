import { formatNumber } from '../../kit/format/format.ts';

interface Due {
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
}

/** The share of the deliveries due that were delivered. Waiting ones are due, too. Returns null without any. */
export function successRate({ delivered, failed, waiting }: Due): number | null {
  const due = delivered + failed + waiting;
  return due === 0 ? null : delivered / due;
}

/** Waiting deliveries explain a low rate better than the day before. */
export function rateNote(waiting: number, before: number | null): string | null {
  if (waiting > 0) return `${formatNumber(waiting)} waiting`;
  return before === null ? null : `${formatRate(before)} the day before`;
}

/** Rounded down, so that 100 % means all. */
export const formatRate = (rate: number): string => `${Math.floor(rate * 1_000) / 10} %`;
