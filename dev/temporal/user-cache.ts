import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns a folder in the user's cache, which is shared by all checkouts and safe to delete. */
export function userCache(name: string): string {
  const root = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(root, 'messaging-channels', name);
}
