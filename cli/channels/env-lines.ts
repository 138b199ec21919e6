import { isChannelEnvName } from '../../contract/channels/env-names.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';

/**
 * What is evaluated or sourced must be nothing but the values of a channel: neither a name nor a break of the line may be
 * a command, and no name may be one that a shell, a loader or a program goes by (PATH, LD_PRELOAD, NODE_OPTIONS).
 */
export function assertEnvValues(values: Readonly<Record<string, unknown>>): asserts values is Record<string, string> {
  for (const [name, value] of Object.entries(values)) {
    if (!isChannelEnvName(name)) throw unfit(`has a value by the name ${JSON.stringify(name)}`);
    if (typeof value !== 'string') throw unfit(`has a value of ${name} that is no text`);
    if (/[\0\r\n]/.test(value)) throw unfit(`has a value of ${name} that does not fit on a line`);
  }
}

function unfit(what: string): CliError {
  return new CliError(`The answer ${what}, and is not written.`, {
    exitCode: exitCodes.failure,
    hint: 'Does --base-url point at the service itself, and is this program as new as it? --json shows the answer.',
  });
}

/** Values as a shell sources them and dotenv readers understand them. */
export function envLine(name: string, value: string): string {
  if (/^[A-Za-z0-9_./:@%+=,-]*$/.test(value)) return `${name}=${value}`;
  return `${name}='${value.replaceAll("'", String.raw`'\''`)}'`;
}

/** The text of a file of such lines with these values in it: its own other lines stay as they are. */
export function mergeEnvLines(text: string, values: Readonly<Record<string, string>>): string {
  const left = new Map(Object.entries(values));
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const merged = lines.map((line) => {
    const [, prefix = '', name = ''] = /^(\s*(?:export\s+)?)([A-Za-z_][A-Za-z0-9_]*)=/.exec(line) ?? [];
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return line;
    left.delete(name);
    return prefix + envLine(name, value);
  });
  return [...merged, ...[...left].map(([name, value]) => envLine(name, value)), ''].join('\n');
}
