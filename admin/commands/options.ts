import { parseArgs } from 'node:util';
import { z } from 'zod';

export class UsageError extends Error {
  override toString(): string {
    return this.message;
  }
}

/** A check that found what it looks for. The report is printed like a result. */
export class CommandFailed extends Error {
  readonly report: object;

  constructor(message: string, report: object) {
    super(message);
    this.report = report;
  }
}

/** Throws if a needed option is missing. */
export function readOptions<Needed extends string, Optional extends string = never>(
  args: readonly string[],
  { needed, optional = [] }: { needed: readonly Needed[]; optional?: readonly Optional[] },
): Record<Needed, string> & Partial<Record<Optional, string>> {
  const names: readonly string[] = [...needed, ...optional];
  const values = parse(args, names);
  const missing = needed.filter((name) => !values[name]);
  if (missing.length > 0) throw new UsageError(`Missing options: ${missing.map((name) => `--${name}`).join(', ')}.`);
  return values as Record<Needed, string> & Partial<Record<Optional, string>>;
}

export function readFlags<Flag extends string>(
  args: readonly string[],
  names: readonly Flag[],
): { readonly flags: Readonly<Partial<Record<Flag, true>>>; readonly rest: readonly string[] } {
  const flags: Partial<Record<Flag, true>> = {};
  for (const name of names) if (args.includes(`--${name}`)) flags[name] = true;
  return { flags, rest: args.filter((arg) => !names.some((name) => arg === `--${name}`)) };
}

function parse(args: readonly string[], names: readonly string[]): Record<string, string | undefined> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'Invalid options.', { cause });
  }
}

export function oneOf<Value extends string>(name: string, values: readonly Value[], given: string): Value {
  const value = values.find((candidate) => candidate === given);
  if (value === undefined) throw new UsageError(`Invalid --${name} '${given}'. Use ${values.join(', ')}.`);
  return value;
}

interface NumberRange {
  /** Optional. Default: 1. */
  readonly min?: number;
  readonly max: number;
  readonly problem: string;
}

export function readNumber(given: string, { min = 1, max, problem }: NumberRange): number {
  const number = /^\d{1,15}$/.test(given) ? Number(given) : NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(problem);
}

/** Returns the default if the option is not given. */
export function countOption(name: string, given: string | undefined, range: { default: number; max: number }): number {
  const problem = `Invalid --${name} '${given}'. Use a whole number from 1 to ${range.max}.`;
  return given === undefined ? range.default : readNumber(given, { max: range.max, problem });
}

export function readEmail(name: string, given: string): string {
  const email = z.email().max(254).toLowerCase().safeParse(given);
  if (!email.success) throw new UsageError(`Invalid --${name} '${given}'. Use an email address.`);
  return email.data;
}
