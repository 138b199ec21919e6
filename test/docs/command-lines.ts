import type { Command } from 'commander';
import { wordsOf } from '../cli/cli-run.ts';

/** Returns the words behind `channels` of each command in shell code. Two commands may share a line of a synopsis. */
export function commandsIn(code: string): string[][] {
  const lines = code.replaceAll('\\\n', ' ').split('\n');
  const withoutComments = lines.map((line) => line.replace(/(?:^|\s)#.*$/, ''));
  const commands = withoutComments.flatMap((line) => line.split(commandStart).slice(1));
  const found = commands.map((command) => wordsOf(command.split(/ {2,}| [<>|] |\)|;/, 1)[0]!));
  return found.filter((words) => !words.includes('$@'));
}

/** At the start of a line or of a command in it, or after the gap of a synopsis. */
const commandStart = /(?:^ *|[;|&({] ?|\s\s|xargs -n1 )channels (?=[a-z-])/;

/** Returns what the program does not know, or undefined. Alternatives are separated by bars. */
export function unknownCommand(program: Command, words: readonly string[]): string | undefined {
  let command = program;
  let rest = words;
  while (rest[0] !== undefined && command.commands.length > 0 && !rest[0].startsWith('-')) {
    const found = rest[0].split('|').map((name) => command.commands.find((one) => one.name() === name));
    if (found.includes(undefined)) return words.join(' ');
    command = found[0]!;
    rest = rest.slice(1);
  }
  const known = [...command.options, ...program.options].flatMap(({ long, short }) => [long, short]);
  const unknown = rest.filter((word) => /^--?[a-z]/.test(word) && !known.includes(word) && word !== '--help');
  return unknown.length > 0 ? `${words.join(' ')}: ${unknown.join(' ')}` : undefined;
}
