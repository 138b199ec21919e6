import { invalidParameter } from './refusals.ts';

const PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 100;

export function pageSize(limit: string | undefined): number {
  if (limit === undefined) return PAGE_SIZE;
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw invalidParameter('Param limit must be an integer from 1 on.');
  return Math.min(Number(limit), MAX_PAGE_SIZE);
}

export function positionOf<T>(items: readonly T[], cursor: string, cursorOf: (item: T) => string): number {
  const index = items.findIndex((item) => cursorOf(item) === cursor);
  if (index < 0) throw invalidParameter('Invalid cursors values.');
  return index;
}
