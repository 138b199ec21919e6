import type { Argument, Command, Option } from 'commander';
import { type IdKind, idKinds } from './read-ids.ts';

/** Fixed words, or IDs that the service knows. Null for anything else, such as a URL. */
export type Values = readonly string[] | IdKind | null;

export interface Completable {
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly { readonly name: string; readonly takesValue: boolean; readonly values: Values }[];
  readonly operands: readonly Values[];
}

export function completables(program: Command): Completable[] {
  const walk = (command: Command, path: readonly string[]): Completable[] => {
    const options = command === program ? program.options : [...command.options, ...program.options];
    return [
      {
        path: path.join(' '),
        commands: command.commands.map((one) => ({ name: one.name(), summary: one.description() })),
        options: distinct([...options.flatMap(optionOf), { name: '--help', takesValue: false, values: null }]),
        operands: command.registeredArguments.map(operandOf),
      },
      ...command.commands.flatMap((one) => walk(one, [...path, one.name()])),
    ];
  };
  return walk(program, []);
}

function optionOf({ long, required, optional, argChoices }: Option): Completable['options'] {
  if (typeof long !== 'string') return [];
  const takesValue = required || optional;
  return [{ name: long, takesValue, values: takesValue ? (argChoices ?? kindOf(long.slice('--'.length))) : null }];
}

function operandOf(argument: Argument): Values {
  return argument.argChoices ?? kindOf(argument.name());
}

const otherNames: Readonly<Record<string, IdKind>> = {
  to: 'workspace',
  into: 'workspace',
  destination: 'subscription',
};

function kindOf(name: string): IdKind | null {
  return idKinds.find((kind) => kind === name) ?? (Object.hasOwn(otherNames, name) ? (otherNames[name] ?? null) : null);
}

function distinct(options: Completable['options']): Completable['options'] {
  return [...new Map(options.map((option) => [option.name, option])).values()];
}
