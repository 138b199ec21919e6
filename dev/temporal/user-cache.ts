import { homedir } from 'node:os';
import { join } from 'node:path';

/** Shared by all checkouts and safe to delete. */
export function userCache(name: string): string {
  const root = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(root, 'messaging-channels', name);
}
