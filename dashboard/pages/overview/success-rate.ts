import { formatNumber } from '../../kit/format/format.ts';

interface Due {
  readonly delivered: number;
  /** Without those that are on their way. */
  readonly due: number;
}

/** The share of the deliveries due that were delivered. Returns null without any. */
export function successRate({ delivered, due }: Due): number | null {
  return due === 0 ? null : delivered / due;
}

/** Waiting deliveries explain a low rate better than the day before. */
export function rateNote(waiting: number, before: number | null): string | null {
  if (waiting > 0) return `${formatNumber(waiting)} waiting`;
  return before === null ? null : `${formatRate(before)} the day before`;
}

/** Rounded down, so that 100 % means all. */
export const formatRate = (rate: number): string => `${Math.floor(rate * 1_000) / 10} %`;
