import process from 'node:process';
import type { Run } from '../commands/run.ts';

/** Opens the address in a browser if there is one, and prints it otherwise. */
export async function openUrl({ output, world }: Run, url: string, { print }: { print: boolean }): Promise<void> {
  if (output.isJson) return output.json({ url });
  const { openBrowser, env, stdout } = world;
  if (print || !stdout.isTTY || openBrowser === undefined || !hasBrowser(env)) return output.exact(`${url}\n`);
  try {
    await openBrowser(url);
    output.note(`Opened ${url} in your browser.`);
  } catch {
    output.note('No browser could be started. Open this address:');
    output.exact(`${url}\n`);
  }
}

/** A Linux computer without a display, as at the other end of SSH, has no browser. */
function hasBrowser(env: Run['world']['env']): boolean {
  if (env['CI']) return false;
  if (process.platform !== 'linux') return true;
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['WSL_DISTRO_NAME']);
}
