import { randomBytes } from 'node:crypto';
import { readEnvFile, writeEnvFile } from './env-file.ts';

const secretNames = ['ENCRYPTION_KEYS', 'PLATFORM_APP_SECRET', 'PLATFORM_VERIFY_TOKEN'] as const;
export type LocalSecrets = Readonly<Record<(typeof secretNames)[number], string>>;

/** Existing secrets never change, because stored data is encrypted with them. */
export async function localSecrets(path: string): Promise<LocalSecrets> {
  const stored = (await readEnvFile(path)) ?? {};
  const secrets = {
    ENCRYPTION_KEYS: stored['ENCRYPTION_KEYS'] || `k1:${randomBytes(32).toString('base64')}`,
    PLATFORM_APP_SECRET: stored['PLATFORM_APP_SECRET'] || randomBytes(32).toString('hex'),
    PLATFORM_VERIFY_TOKEN: stored['PLATFORM_VERIFY_TOKEN'] || randomBytes(24).toString('base64url'),
  };
  if (secretNames.some((name) => stored[name] !== secrets[name])) await writeEnvFile(path, { ...stored, ...secrets });
  return secrets;
}
