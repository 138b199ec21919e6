import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { buildReference } from '../../../dev/sites/build-reference.ts';
import { browserTest as test, dashboardSite } from './dashboard-site.ts';

const run = promisify(execFile);

async function referenceSite(t: ExecutionContext<unknown>) {
  const referenceFolder = await aFolder(t);
  await buildReference({ folder: referenceFolder });
  return await dashboardSite(t, { referenceFolder });
}

async function aFolder(t: ExecutionContext<unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-reference-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('the API reference passes axe and breaks no policy', async (t) => {
  const { page, siteUrl, look, complaints } = await referenceSite(t);
  const others: string[] = [];
  page.on('request', (request) => request.url().startsWith(siteUrl) || others.push(request.url()));
  await page.goto(`${siteUrl}/docs`);
  await page.getByRole('heading', { level: 1, name: 'Messaging channels' }).waitFor();
  await look('reference');
  await page.goto(`${siteUrl}/docs/deliveries`);
  await page.getByRole('heading', { level: 2, name: 'List deliveries' }).waitFor();
  await look('reference-chapter');
  t.deepEqual(complaints, []);
  t.deepEqual(others, [], 'the page loads nothing from other origins');
});

test('the search of the reference finds an operation', async (t) => {
  const { page, siteUrl, complaints } = await referenceSite(t);
  await page.goto(`${siteUrl}/docs`);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('deliveries/{wd}/retry');
  await page.getByText('2 operations found').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/deliveries#retryDelivery');
  await page.getByRole('heading', { level: 2, name: 'Retry delivery' }).waitFor();
  t.deepEqual(complaints, []);
});

test('the reference fits a phone, where its contents open', async (t) => {
  const { page, siteUrl, complaints } = await referenceSite(t);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const chapter of ['', '/deliveries', '/default-webhooks', '/staff', '/deliveries-to-receivers']) {
    await page.goto(`${siteUrl}/docs${chapter}`);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    t.is(width, 390, chapter);
  }
  await page.evaluate('scrollTo(0, 4000)');
  await page.getByRole('button', { name: 'Contents' }).click();
  const top = await page.evaluate<number>("document.querySelector('#find').getBoundingClientRect().top");
  t.true(top > 0 && top < 844, `the menu opens in view, not at ${top}`);
  await page.keyboard.press('Escape');
  await page.getByLabel('Find an operation').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Contents' }).click();
  await page.getByLabel('Find an operation').fill('list channels');
  await page.getByRole('link', { name: 'List channels' }).click();
  await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor();
  t.deepEqual(complaints, []);
});

const PRINT_BODY = /200 (.*)/s;

/** Runs a sample in its language and returns what it prints. */
const runners: Readonly<Record<string, (file: string, env: NodeJS.ProcessEnv) => Promise<{ stdout: string }>>> = {
  curl: (file, env) => run('bash', [file], { env }),
  JavaScript: (file, env) => run(process.execPath, [file], { env }),
  Python: (file, env) => run('python3', [file], { env }),
  Go: (file, env) => run('go', ['run', file], { env }),
};
const suffixes: Readonly<Record<string, string>> = { curl: 'sh', JavaScript: 'mjs', Python: 'py', Go: 'go' };

test('samples of the reference run as they are shown', async (t) => {
  const { page, siteUrl, tenant, complaints } = await referenceSite(t);
  const folder = await aFolder(t);
  const env = { ...process.env, SERVICE_API_KEY: tenant.apiKey, SERVICE_WORKSPACE_ID: tenant.workspace.publicId };
  await page.goto(`${siteUrl}/docs/channels#listChannels`);
  const languages = page.locator('#listChannels .language select');
  t.deepEqual(await languages.locator('option').allInnerTexts(), Object.keys(runners));
  for (const [language, runSample] of Object.entries(runners)) {
    await languages.selectOption(language);
    const sample = await page.locator('#listChannels .samples pre:visible').innerText();
    const file = join(folder, `sample.${suffixes[language]}`);
    await writeFile(file, sample);
    const { stdout } = await runSample(file, env);
    t.true((PRINT_BODY.exec(stdout)?.[1] ?? stdout).includes('"channels"'), `${language} printed ${stdout}`);
  }

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('#listChannels').getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  t.regex(await page.evaluate<string>('navigator.clipboard.readText()'), /^package main/);

  await page.goto(`${siteUrl}/docs/deliveries`);
  t.is(await page.locator('.language select').first().inputValue(), 'go', 'other pages use the language');
  t.deepEqual(complaints, []);
});
