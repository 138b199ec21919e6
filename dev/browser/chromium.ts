import { accessSync, constants } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const chromiumMissing =
  'Chromium is missing. Install it (`apt-get install chromium-headless-shell`) or set CHROMIUM_PATH.';

/** Without its own interface, Chromium needs half of the processor time. */
const paths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Returns the path of the system's Chromium, or undefined. */
export function findChromium(): string | undefined {
  const candidates = [process.env['CHROMIUM_PATH'], ...paths];
  return candidates.find((path) => path && isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws Error if the system has no Chromium */
export async function launchChromium({ timeoutMs }: { readonly timeoutMs: number }): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(chromiumMissing);
  return await chromium.launch({ executablePath, args: flags, timeout: timeoutMs });
}
