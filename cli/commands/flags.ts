import { InvalidArgumentError, Option } from 'commander';
import type { World } from '../terminal/world.ts';
import { parseDueTime, parseList, parseTime, parseWholeNumber } from './arguments.ts';

/** What a flag takes. `Value` is what the command gets. */
export interface Kind<Value> {
  readonly choices?: readonly string[];
  readonly parse?: (text: string, before: never) => unknown;
  readonly convert?: (parsed: never, world: Pick<World, 'now'>) => Value;
  readonly fallback?: unknown;
  readonly isRequired?: boolean;
  /** The request does not contain it. */
  readonly isLocal?: boolean;
  /** Appended to the text of the flag. */
  readonly hint?: string;
}

type Flag = readonly [flags: string, text: string, kind?: Kind<unknown>];
/** By the field of the request, or by any name for what is only of the command. */
export type Flags = Readonly<Record<string, Flag>>;

export type Given<All extends Flags> = {
  readonly [Name in keyof All]: All[Name] extends readonly [string, string, Kind<infer Value>]
    ? Value
    : All[Name] extends readonly [`${string}<${string}`, ...unknown[]]
      ? string | undefined
      : boolean | undefined;
};

export const wholeNumber: Kind<number | undefined> = { parse: parseWholeNumber };
export const words: Kind<string[] | undefined> = { parse: parseList };
/** Repeatable. */
export const many: Kind<string[] | undefined> = {
  parse: (text: string, before: readonly string[] = []) => [...before, text],
};
/** A time in the past, or in the future. */
const past: Kind<string | undefined> = { convert: parseTime };
export const due: Kind<string | undefined> = {
  convert: (text: string | undefined, world) => (text === undefined ? undefined : parseDueTime(text, world)),
};
export const orNone: Kind<string | null | undefined> = {
  convert: (text: string | undefined) => (text === 'none' ? null : text),
};
export const orEmpty: Kind<string | null | undefined> = {
  convert: (text: string | undefined) => (text === '' ? null : text),
};
export const local: Kind<boolean | undefined> = { isLocal: true };
export const localText: Kind<string | undefined> = { isLocal: true };

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Kind<Choice | undefined> {
  return { choices };
}

/** Words of a list, separated by commas; repeatable. */
export function someOf<const Choice extends string>(choices: readonly Choice[]): Kind<Choice[] | undefined> {
  const parse = (text: string, before: readonly string[] | undefined) => {
    const all = parseList(text, before);
    const wrong = all.find((word) => !choices.some((choice) => choice === word));
    if (wrong !== undefined) throw new InvalidArgumentError(`Unknown value '${wrong}'. Use ${choices.join(', ')}.`);
    return all;
  };
  return { parse, hint: ` (${choices.join(', ')})` };
}

/** As one text, for a query. */
export function joined(list: Kind<string[] | undefined>): Kind<string | undefined> {
  return { ...list, convert: (all: readonly string[] | undefined) => all?.join(',') };
}

export function required(): Kind<string>;
export function required<Value>(kind: Kind<Value>): Kind<Exclude<Value, undefined>>;
export function required(kind: Kind<unknown> = {}): Kind<unknown> {
  return { ...kind, isRequired: true };
}

export function fallback(value: string): Kind<string>;
export function fallback<Value>(value: Exclude<Value, undefined>, kind: Kind<Value>): Kind<Exclude<Value, undefined>>;
export function fallback(value: unknown, kind: Kind<unknown> = {}): Kind<unknown> {
  return { ...kind, fallback: value };
}

export function optionOf([flags, text, kind = {}]: Flag): Option {
  const option = new Option(flags, `${text}${kind.hint ?? ''}`).default(kind.fallback);
  if (kind.choices) option.choices(kind.choices);
  if (kind.parse) option.argParser(kind.parse as (text: string, before: unknown) => unknown);
  return option.makeOptionMandatory(kind.isRequired === true);
}

/** Reads what the parser found by the names of the flags. */
export function givenOf(flags: Flags, parsed: Readonly<Record<string, unknown>>, world: Pick<World, 'now'>) {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => {
      const value = parsed[optionOf(flag).attributeName()];
      return [name, flag[2]?.convert ? flag[2].convert(value as never, world) : value];
    }),
  );
}

const SINCE = 'start time: 30m, 2h or 7d ago, or an ISO 8601 timestamp';

export const pages = {
  limit: ['--limit <n>', 'maximum number of items (default: 50)', { ...wholeNumber, isLocal: true }],
  all: ['--all', 'fetch all items', local],
  cursor: ['--cursor <cursor>', 'cursor to continue from', localText],
} as const satisfies Flags;
export const yes = { yes: ['--yes', 'skip the confirmation', local] } as const satisfies Flags;
export const idempotencyKey = {
  idempotencyKey: ['--idempotency-key <key>', 'key that makes a retry safe', localText],
} as const satisfies Flags;
export const span = {
  since: ['--since <time>', SINCE, past],
  until: ['--until <time>', 'end time (default: now)', past],
} as const satisfies Flags;
export const spanExclusive = {
  since: ['--since <time>', SINCE, past],
  until: ['--until <time>', 'end time, exclusive (default: now)', past],
} as const satisfies Flags;
/** Of a replay. */
export const spanOfReplay = {
  since: ['--since <time>', SINCE, required(past)],
  until: ['--until <time>', 'end time, exclusive', fallback('now', past)],
} as const satisfies Flags;
