import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';

const PRIVATE_MODE = 0o600;

/**
 * A shell's `source`, Node's `--env-file` and this file read the text alike. Throws for single quotes and line breaks,
 * for which they share no syntax.
 */
export function envFileText(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${quoted(name, value)}\n`)
    .join('');
}

export async function writeEnvFile(path: string, values: Readonly<Record<string, string>>): Promise<void> {
  await writePrivateFile(path, envFileText(values));
}

export async function readEnvFile(path: string): Promise<Record<string, string> | undefined> {
  const text = await readIfExists(path);
  if (text === undefined) return undefined;
  return Object.fromEntries(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? '']));
}

export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { mode: PRIVATE_MODE });
  await rename(draft, path);
}

export async function readIfExists(path: string): Promise<string | undefined> {
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
    throw new Error(
      `${name} can't be written to an environment file, because it contains a single quote or a line break`,
    );
  return `'${value}'`;
}
