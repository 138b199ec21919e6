import { Argument, type Command } from 'commander';
import { createRun, type Run } from './run.ts';
import type { World } from '../terminal/world.ts';
import { type Flags, type Given, givenOf, optionOf } from './flags.ts';

interface Operand {
  readonly text: string;
  readonly choices: readonly string[];
  /** Optional. Offers the choices for completion only. Default: false. */
  readonly isOpen?: boolean;
}

export interface Described<All extends Flags> {
  readonly summary: string;
  /** Optional. What follows the name of the command; with `channels `, a whole line. Default: IDs for the operands. */
  readonly examples?: string | readonly string[];
  readonly flags?: All;
  /** Optional. By the name in the usage. */
  readonly operands?: Readonly<Record<string, Operand>>;
  /** Optional. Below the examples. */
  readonly remarks?: string;
}

/** The operands of a usage such as `rename <workspace> [name]`. */
export type Args<Usage extends string> = Usage extends `${string}<${string}>${infer Rest}`
  ? [string, ...Args<Rest>]
  : Usage extends `${string}[${string}]${infer Rest}`
    ? [string | undefined, ...Args<Rest>]
    : [];

export interface Definition extends Described<Flags> {
  readonly usage: string;
  /** Optional. The route that the command calls. */
  readonly call?: string;
  readonly act: (
    run: Run,
    args: readonly (string | undefined)[],
    options: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
}

interface Group {
  readonly name: string;
  readonly summary: string;
  readonly entries: readonly Entry[];
}

/** A heading precedes the entries that it is for. */
export type Entry = Definition | Group | { readonly heading: string };

export function group(name: string, summary: string, entries: readonly Entry[]): Group {
  return { name, summary, entries };
}

interface Written<Usage extends string, All extends Flags> extends Described<All> {
  readonly run: (run: Run, args: Args<Usage>, options: Given<All>) => Promise<void>;
}

/** Defines a command whose work is written by hand. See `route` for those that call a route and show its answer. */
export function command<const Usage extends string, const All extends Flags = Record<never, never>>(
  usage: Usage,
  { run: act, ...described }: Written<Usage, All>,
): Definition {
  return { ...described, usage, act: act as Definition['act'] };
}

export function operandNames(usage: string): string[] {
  return [...usage.matchAll(/[<[](\w+)[>\]]/g)].map(([, name = '']) => name);
}

const exampleIds: Readonly<Record<string, string>> = {
  alert: 'alr_4fT9aPq2',
  channel: 'ch_4fT9aPq2',
  container: 'ctr_8kLm3Qz1',
  credential: 'ac_8kLm3Qz1',
  customer: 'ws_8kLm3Qz1',
  delivery: 'wd_4fT9aPq2',
  erasure: 'ers_5tRk2Wq8',
  invitation: 'inv_8kLm3Qz1',
  key: 'key_8kLm3Qz1',
  link: 'ol_8kLm3Qz1',
  listener: 'lst_8kLm3Qz1',
  person: 'usr_8kLm3Qz1',
  replay: 'rpl_4fT9aPq2',
  rollout: 'dwr_4fT9aPq2',
  subscription: 'sub_8kLm3Qz1',
  workspace: 'ws_8kLm3Qz1',
};

function idsFor(usage: string): string {
  return operandNames(usage)
    .map((name) => exampleIds[name] ?? '')
    .join(' ');
}

export function addEntries(
  parent: Command,
  entries: readonly Entry[],
  { world, path }: { readonly world: World; readonly path: string },
): void {
  for (const entry of entries) {
    if ('heading' in entry) parent.commandsGroup(entry.heading);
    else if ('usage' in entry) addCommand(parent, entry, { world, path });
    else {
      const added = parent.command(entry.name).description(entry.summary);
      addEntries(added, entry.entries, { world, path: `${path} ${entry.name}` });
    }
  }
}

interface Place {
  readonly world: World;
  /** The words before the command. */
  readonly path: string;
}

function addCommand(parent: Command, definition: Definition, { world, path }: Place): void {
  const { usage, summary, examples = idsFor(usage), flags = {}, operands = {}, remarks, act } = definition;
  const [name = '', ...rest] = usage.split(' ');
  const added = parent.command(name).description(summary);
  for (const word of rest) added.addArgument(argumentOf(word, operands));
  for (const flag of Object.values(flags)) added.addOption(optionOf(flag));
  const lines = [examples]
    .flat()
    .map((one) => `  $ ${/^[^#]*channels /.test(one) ? one : `${path} ${name} ${one}`.trim()}`);
  added.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  if (remarks !== undefined) added.addHelpText('after', `\n${remarks}`);
  added.action(async (...all: unknown[]) => {
    const run = await createRun(world, added);
    try {
      await act(run, all.slice(0, rest.length) as string[], givenOf(flags, added.opts(), world));
    } finally {
      run.progress.end();
    }
  });
}

function argumentOf(word: string, operands: Readonly<Record<string, Operand>>): Argument {
  const operand = operands[word.slice(1, -1)];
  const argument = new Argument(word, operand?.text);
  if (operand?.isOpen) argument.argChoices = [...operand.choices];
  else if (operand) argument.choices(operand.choices);
  return argument;
}
