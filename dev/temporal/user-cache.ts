import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user's cache folder of this project: kept between checkouts, safe to delete. */
export function userCache(name: string): string {
  const root = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(root, 'messaging-channels', name);
}
