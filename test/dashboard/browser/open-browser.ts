import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../../../dev/browser/chromium.ts';

const PATIENCE_MS = Number(process.env['KIT_PATIENCE'] ?? 180_000);
const axeUrl = new URL(import.meta.resolve('axe-core/axe.min.js'));

export interface OpenBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly picture: (name: string) => Promise<void>;
  /** Returns all axe violations of the page. */
  readonly findViolations: () => Promise<readonly string[]>;
  /** Fails the test on any axe violation. */
  readonly checkAccessibility: () => Promise<void>;
}

/** All tests of this process use one browser, and each has a context of its own, as a private window is. */
let browser: Promise<Browser> | undefined;

test.after.always(async () => {
  await (await browser?.catch(() => undefined))?.close();
});

export async function openBrowser(
  t: ExecutionContext<unknown>,
  { javaScriptEnabled = true }: { javaScriptEnabled?: boolean } = {},
): Promise<OpenBrowser> {
  const context = await newContext(await (browser ??= launchChromium({ timeoutMs: PATIENCE_MS })), {
    javaScriptEnabled,
  });
  t.teardown(() => context.close());
  const page = await context.newPage();
  const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-pictures-'));
  t.log(`screenshots in ${folder}`);
  t.teardown(async () => {
    if (!t.passed) await page.screenshot({ path: join(folder, 'failed.png'), fullPage: true });
  });
  return {
    context,
    page,
    picture: async (name) => void (await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })),
    findViolations: () => findViolations(page),
    async checkAccessibility() {
      t.deepEqual(await findViolations(page), [], page.url().replace(/\?.*/, ''));
    },
  };
}

/**
 * Waits longer for pages and elements than Playwright does, so that a busy machine fails no test. Without motion, because
 * colors in transition fail the contrast check.
 */
export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(await axeSource());
  const found: { id: string; html: string[] }[] = await page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => ({ id, html: nodes.map((node) => node.html) })))`,
  );
  return found.map(({ id, html }) => `${id}: ${html.join(' ')}`);
}

let source: Promise<string> | undefined;
async function axeSource(): Promise<string> {
  return await (source ??= readFile(axeUrl, 'utf8'));
}
