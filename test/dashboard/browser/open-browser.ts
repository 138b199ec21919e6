import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../../../dev/browser/chromium.ts';
import { checkedViews, show, takePicture, views } from './take-picture.ts';

const PATIENCE_MS = Number(process.env['KIT_PATIENCE'] ?? 180_000);
/** A folder for pictures of what the tests look at, in every theme and width. */
const pictures = process.env['DASHBOARD_PICTURES'];
const axeUrl = new URL(import.meta.resolve('axe-core/axe.min.js'));

export interface OpenBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Returns all axe violations of the page. */
  readonly findViolations: () => Promise<readonly string[]>;
  /** Fails the test on any axe violation. */
  readonly checkAccessibility: () => Promise<void>;
  /** Fails the test on any axe violation and on overflow, in both themes and widths. Leaves the page light and wide. */
  readonly look: (name: string) => Promise<void>;
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
  t.teardown(async () => {
    if (t.passed) return;
    const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-pictures-'));
    await page.screenshot({ path: join(folder, 'failed.png'), fullPage: true });
    t.log(`screenshot in ${folder}`);
  });
  return {
    context,
    page,
    findViolations: () => findViolations(page),
    async checkAccessibility() {
      t.deepEqual(await findViolations(page), [], page.url().replace(/\?.*/, ''));
    },
    look: (name) => look(t, page, name),
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

async function look(t: ExecutionContext<unknown>, page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await mkdir(pictures, { recursive: true });
  for (const view of pictures === undefined ? checkedViews : views) {
    const title = `${name}-${view.colorScheme}-${view.width}`;
    await show(page, view);
    t.deepEqual(await lastingViolations(page), [], title);
    t.is(await page.evaluate<number>('Math.max(0, document.documentElement.scrollWidth - innerWidth)'), 0, title);
    if (pictures !== undefined) await takePicture(page, join(pictures, `${title}.png`), { fullPage: true });
  }
}

/** The reference changes its colors gradually, and some time after the theme, also for people who want less motion. */
async function lastingViolations(page: Page, tries = 10): Promise<string[]> {
  const found = await findViolations(page);
  if (found.length === 0 || tries === 0) return found;
  await sleep(500);
  return await lastingViolations(page, tries - 1);
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
