import { InvalidArgumentError } from 'commander';
import { readFile } from 'node:fs/promises';
import { usageError } from '../terminal/failures.ts';
import { isJsonObject } from '../../contract/is-json-object.ts';
import { readAll } from '../terminal/prompt.ts';
import type { World } from '../terminal/world.ts';

export function parseWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Use a whole number.');
  return Number(text);
}

export function parseList(text: string, before: readonly string[] = []): string[] {
  const words = text.split(',').map((one) => one.trim());
  return [...before, ...words.filter((one) => one !== '')];
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the duration of `30m`, `2h` or `7d`. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (unitsMs[unit] ?? 0);
}

/** Converts `30m`, `2h` or `7d` ago, `now`, a date or an ISO 8601 timestamp to the API's form. */
export function parseTime(text: string | undefined, { now }: Pick<World, 'now'>): string | undefined {
  if (text === undefined) return undefined;
  const agoMs = text === 'now' ? 0 : parseDuration(text);
  if (agoMs !== undefined) return new Date(now() - agoMs).toISOString();
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(date.getTime())) {
    throw usageError(
      `Invalid time '${text}'.`,
      'Use 30m, 2h, 7d or an ISO 8601 timestamp such as 2026-01-31T08:00:00Z.',
    );
  }
  return date.toISOString();
}

/** Converts `30m`, `2h` or `7d` from now, a date or an ISO 8601 timestamp to the API's form. */
export function parseDueTime(text: string, { now }: Pick<World, 'now'>): string {
  const inMs = parseDuration(text);
  return inMs === undefined ? (parseTime(text, { now }) ?? text) : new Date(now() + inMs).toISOString();
}

export async function readInput(world: World, path: string): Promise<Buffer> {
  if (path === '-') return await readAll(world.stdin);
  try {
    return await readFile(path);
  } catch (error) {
    throw usageError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export async function readJsonInput(world: World, path: string): Promise<Record<string, unknown>> {
  const value = jsonObject((await readInput(world, path)).toString('utf8'));
  if (value) return value;
  throw usageError(`${path === '-' ? 'Standard input' : path} must contain a JSON object.`);
}

export function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
