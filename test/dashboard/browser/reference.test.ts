import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import type { Locator } from 'playwright-core';
import { buildReference } from '../../../dev/sites/build-reference.ts';
import { eventually } from '../../harness/eventually.ts';
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
  t.deepEqual(complaints, []);
  t.deepEqual(others, [], 'the page loads nothing from other origins');
});

test('the search of the reference finds an operation', async (t) => {
  const { page, siteUrl, complaints } = await referenceSite(t);
  await page.goto(`${siteUrl}/docs`);
  await page
    .getByRole('button', { name: /Search/ })
    .first()
    .click();
  await page.getByRole('combobox').fill('retries a delivery');
  await page.getByRole('option', { name: /retry/i }).first().click();
  await eventually(() => page.url().includes('/retry'));
  t.deepEqual(complaints, []);
});

const GET_CHANNELS = 'tag/channels/GET/platform/channels';
const TOKEN = 'Token';

const PRINT_RESPONSES = `data:text/javascript,${encodeURIComponent(
  'const send = fetch; globalThis.fetch = async (...parts) => { const response = await send(...parts); ' +
    'console.log(await response.clone().text()); return response; };',
)}`;

/** Runs a sample in its language and returns what it prints. */
const runners: Readonly<Record<string, (file: string) => Promise<string>>> = {
  Curl: async (file) => (await run('bash', [file])).stdout,
  'http.client': async (file) => (await run('python3', [file])).stdout,
  // The sample leaves the response to the reader.
  Fetch: async (file) => (await run(process.execPath, ['--import', PRINT_RESPONSES, file])).stdout,
  NewRequest: async (file) => (await run('go', ['run', file])).stdout,
};
const suffixes: Readonly<Record<string, string>> = { Curl: 'sh', 'http.client': 'py', Fetch: 'mjs', NewRequest: 'go' };

test('samples of the reference run as they are shown', async (t) => {
  const { page, siteUrl, tenant, complaints } = await referenceSite(t);
  const folder = await aFolder(t);
  await page.goto(`${siteUrl}/docs#${GET_CHANNELS}`);
  const operation = page.locator(`section[id$="${GET_CHANNELS}"]`);
  await page.getByPlaceholder(TOKEN).first().fill(tenant.apiKey);
  const clients = await clientsOf(operation);
  t.deepEqual(clients.toSorted(), Object.keys(runners).toSorted());
  for (const client of clients) {
    await operation.getByTestId('client-picker').click();
    await page.getByRole('option', { name: client, exact: true }).click();
    const sample = await sampleOf(operation, tenant.apiKey);
    const file = join(folder, `sample.${suffixes[client]}`);
    await writeFile(file, withWorkspace(sample, tenant.workspace.publicId));
    const output = await runners[client]!(file);
    t.true(output.includes('"channels"'), `${client} printed ${output}`);
  }
  t.deepEqual(complaints, []);
});

async function clientsOf(operation: Locator): Promise<string[]> {
  await operation.getByTestId('client-picker').click();
  const options = operation.page().getByRole('option');
  await options.first().waitFor();
  const names = await options.allInnerTexts();
  await operation.page().keyboard.press('Escape');
  return names.map((name) => name.trim());
}

async function sampleOf(operation: Locator, apiKey: string): Promise<string> {
  const code = operation.locator('pre').first();
  await eventually(async () => (await code.innerText()).includes(apiKey));
  return await code.innerText();
}

/** The sample has the workspace of the examples. */
function withWorkspace(sample: string, workspaceId: string): string {
  return sample.replace(/(X-Workspace-Id['"]?[:,] ?['"]?)(?:ws_\w+)?/i, `$1${workspaceId}`);
}
