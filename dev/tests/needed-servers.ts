import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mentions } from './imported-files.ts';

const settings = ['TEST_DATABASE_URL', 'TEST_TEMPORAL_ADDRESS'] as const;

export type TestServer = (typeof settings)[number];

/** Returns the servers whose address is read by these test files or by anything that they import. */
export function neededServers(args: readonly string[]): ReadonlySet<TestServer> {
  const files = args.filter((arg) => !arg.startsWith('-')).map((arg) => join(process.cwd(), arg));
  if (files.length === 0 || !files.every((file) => file.endsWith('.ts') && existsSync(file))) return new Set(settings);
  return new Set(settings.filter((setting) => mentions(files, setting)));
}
