import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';

/** Nobody but the owner reads files that hold secrets. */
const PRIVATE_MODE = 0o600;

/**
 * One `NAME=value` line each, without `export`, in a form that a shell's `source`, Node's `--env-file` and this
 * file's reader understand alike. Values that need quotes get single ones, inside which all three take text as it is;
 * a single quote or a line break in a value has no form that all of them share, and is refused.
 */
export function envFileText(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${quoted(name, value)}\n`)
    .join('');
}

export async function writeEnvFile(path: string, values: Readonly<Record<string, string>>): Promise<void> {
  await writePrivateFile(path, envFileText(values));
}

/** The values of an environment file; undefined where there is none. */
export async function readEnvFile(path: string): Promise<Record<string, string> | undefined> {
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  return Object.fromEntries(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? '']));
}

/** Writes whole files only: a reader, or a start after a crash, never sees half of one. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { mode: PRIVATE_MODE });
  await rename(draft, path);
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function quoted(name: string, value: string): string {
  if (/^[A-Za-z0-9_./:@%+,=-]*$/.test(value)) return value;
  if (/['\r\n]/.test(value))
    throw new Error(`${name} can't be written to an environment file: it has a quote or a line break`);
  return `'${value}'`;
}
