import { type Command, InvalidArgumentError, Option } from 'commander';
import { readFile } from 'node:fs/promises';
import { usageError } from '../terminal/failures.ts';
import { readAll } from '../terminal/prompt.ts';
import type { World } from '../terminal/world.ts';

interface Described {
  readonly summary: string;
  readonly examples: readonly string[];
}

export function addCommand(parent: Command, usage: string, { summary, examples }: Described): Command {
  const lines = examples.map((example) => `  $ ${example}`).join('\n');
  return parent.command(usage).description(summary).addHelpText('after', `\nExamples:\n${lines}`);
}

export function addGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary);
}

export function parseWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Use a whole number.');
  return Number(text);
}

export function parseList(text: string, before: readonly string[] = []): string[] {
  return [
    ...before,
    ...text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ];
}

export function collectValues(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

export function listOption(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, `${description} (${choices.join(', ')})`).argParser((text, before: string[] | undefined) => {
    const words = parseList(text, before);
    const wrong = words.find((word) => !choices.includes(word));
    if (wrong !== undefined) throw new InvalidArgumentError(`Unknown value '${wrong}'. Use ${choices.join(', ')}.`);
    return words;
  });
}

export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices);
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Converts `30m`, `2h` or `7d` ago, `now`, a date or an ISO 8601 timestamp to the API's form. */
export function parseTime(text: string | undefined, { now }: Pick<World, 'now'>): string | undefined {
  if (text === undefined) return undefined;
  if (text === 'now') return new Date(now()).toISOString();
  const relative = /^(\d{1,6})([smhd])$/.exec(text);
  if (relative) return new Date(now() - Number(relative[1]) * (unitsMs[relative[2] ?? ''] ?? 0)).toISOString();
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
  const relative = /^(\d{1,6})([smhd])$/.exec(text);
  if (relative) return new Date(now() + Number(relative[1]) * (unitsMs[relative[2] ?? ''] ?? 0)).toISOString();
  return parseTime(text, { now }) ?? text;
}

interface Span {
  readonly since?: string;
  readonly until?: string;
}

export function parseTimeRange({ since, until }: Span, world: Pick<World, 'now'>) {
  return { since: parseTime(since, world), until: parseTime(until, world) };
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
  const text = (await readInput(world, path)).toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The error below reports it.
  }
  throw usageError(`${path === '-' ? 'Standard input' : path} must contain a JSON object.`);
}
