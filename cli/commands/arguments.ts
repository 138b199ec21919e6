import { type Command, InvalidArgumentError, Option } from 'commander';
import { readFile } from 'node:fs/promises';
import { usageError } from '../terminal/failures.ts';
import { readAll } from '../terminal/prompt.ts';
import type { World } from '../terminal/world.ts';

interface Described {
  readonly summary: string;
  /** Command lines that a reader can copy. */
  readonly examples: readonly string[];
}

/** A command that does something. */
export function leaf(parent: Command, usage: string, { summary, examples }: Described): Command {
  const lines = examples.map((example) => `  $ ${example}`).join('\n');
  return parent.command(usage).description(summary).addHelpText('after', `\nExamples:\n${lines}`);
}

/** A command that only holds others. */
export function group(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary);
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** Comma-separated, and given more than once. */
export function listed(text: string, before: readonly string[] = []): string[] {
  return [
    ...before,
    ...text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ];
}

/** Given more than once, each as it is. */
export function repeated(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** A comma-separated list of these words. */
export function listOption(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, `${description} (${choices.join(', ')})`).argParser((text, before: string[] | undefined) => {
    const words = listed(text, before);
    const wrong = words.find((word) => !choices.includes(word));
    if (wrong !== undefined) throw new InvalidArgumentError(`${wrong} is none of ${choices.join(', ')}.`);
    return words;
  });
}

export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices);
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `2h`, `30m`, `7d` before now, `now`, or an instant in ISO 8601; answers in the API's form. */
export function instant(text: string | undefined, { now }: Pick<World, 'now'>): string | undefined {
  if (text === undefined) return undefined;
  if (text === 'now') return new Date(now()).toISOString();
  const relative = /^(\d{1,6})([smhd])$/.exec(text);
  if (relative) return new Date(now() - Number(relative[1]) * (unitsMs[relative[2] ?? ''] ?? 0)).toISOString();
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(date.getTime())) {
    throw usageError(`${text} is no time.`, 'Say 30m, 2h or 7d for that long ago, or 2026-01-31T08:00:00Z.');
  }
  return date.toISOString();
}

interface Span {
  readonly since?: string;
  readonly until?: string;
}

/** Both ends of a span as `instant` reads them. */
export function span({ since, until }: Span, world: Pick<World, 'now'>) {
  return { since: instant(since, world), until: instant(until, world) };
}

/** Bytes of a file, or of standard input for `-`. */
export async function readInput(world: World, path: string): Promise<Buffer> {
  if (path === '-') return await readAll(world.stdin);
  try {
    return await readFile(path);
  } catch (error) {
    throw usageError(`${path} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A JSON object of a file, or of standard input for `-`. */
export async function readJsonInput(world: World, path: string): Promise<Record<string, unknown>> {
  const text = (await readInput(world, path)).toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below, as for any other text that is no object.
  }
  throw usageError(`${path === '-' ? 'Standard input' : path} is no JSON object.`);
}
