import { isChannelEnvName } from '../../contract/channels/env-names.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';

/**
 * Throws unless every name and value is safe to evaluate or source. A name or line break must not become a command, and
 * no name may control a shell, loader or program (PATH, LD_PRELOAD, NODE_OPTIONS).
 */
export function assertEnvValues(values: Readonly<Record<string, unknown>>): asserts values is Record<string, string> {
  for (const [name, value] of Object.entries(values)) {
    if (!isChannelEnvName(name)) throw unsafeResponse(`has an unexpected variable ${JSON.stringify(name)}`);
    if (typeof value !== 'string') throw unsafeResponse(`has a value of ${name} that is not a string`);
    if (/[\0\r\n]/.test(value)) throw unsafeResponse(`has a value of ${name} with a line break`);
  }
}

function unsafeResponse(what: string): CliError {
  return new CliError(`The response ${what}. Nothing was written.`, {
    exitCode: exitCodes.failure,
    hint: 'Check that --base-url points to the service and that the CLI is up to date. --json shows the response.',
  });
}

export function envLine(name: string, value: string): string {
  if (/^[A-Za-z0-9_./:@%+=,-]*$/.test(value)) return `${name}=${value}`;
  return `${name}='${value.replaceAll("'", String.raw`'\''`)}'`;
}

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
