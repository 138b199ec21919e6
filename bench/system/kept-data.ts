import { randomBytes } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfExists, writePrivateFile } from '../../dev/settings/env-file.ts';

/** `BENCH_DATA=<folder>` keeps PostgreSQL's data, so that the next run need not write a long history again. */
const folder = process.env['BENCH_DATA'];

export const keptFolder: string | undefined = folder === '' ? undefined : folder;

const KEY_BYTES = 32;

/** Returns the key that encrypts the secrets of the kept data, or a new one. */
export async function encryptionKey(): Promise<Buffer> {
  if (!keptFolder) return randomBytes(KEY_BYTES);
  await mkdir(keptFolder, { recursive: true });
  // PostgreSQL may run as another OS user.
  await chmod(keptFolder, 0o711);
  const path = join(keptFolder, 'encryption-key');
  const known = await readIfExists(path);
  if (known !== undefined) return Buffer.from(known, 'base64');
  const key = randomBytes(KEY_BYTES);
  await writePrivateFile(path, key.toString('base64'));
  return key;
}
