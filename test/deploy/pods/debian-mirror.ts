import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Returns the mirror that this machine uses. */
export async function debianMirror(): Promise<string> {
  const lists = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'].filter((path) => existsSync(path));
  for (const path of lists) {
    const [, url] = /^(?:URIs:|deb(?: \[.*\])?) +(\S+)/m.exec(await readFile(path, 'utf8')) ?? [];
    if (url) return url;
  }
  throw new Error('No Debian mirror was found in /etc/apt. Add one.');
}
