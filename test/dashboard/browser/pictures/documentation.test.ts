import { join } from 'node:path';
import anyTest, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { codeMail } from '../../../../activities/people/code-mail.ts';
import { buildSites } from '../../../../dev/build-sites.ts';
import { freePort } from '../../../../dev/processes/ports.ts';
import { testCli } from '../../../cli/cli-run.ts';
import { ownTemporal } from '../../../harness/system/own-temporal.ts';
import { createBusyWorkspace } from '../busy-workspace.ts';
import { type DashboardSystem, ownDashboardSystem } from '../dashboard-system.ts';
import { show, takePicture, type View } from '../take-picture.ts';
import { type Command, terminalPage } from './terminal-page.ts';

/** `npm run pictures` sets it. Other runs leave the documentation's pictures as they are. */
const test = process.env['DOCS_PICTURES'] === undefined ? anyTest.skip : anyTest;
const folder = join(import.meta.dirname, '../../../../docs/pictures');

const desktop: View = { colorScheme: 'light', width: 1440 };
const dark: View = { colorScheme: 'dark', width: 1440 };
const phone: View = { colorScheme: 'light', width: 390 };

interface Stage extends DashboardSystem {
  readonly temporalUiUrl: string;
  /** Saves what the page shows. */
  readonly take: (name: string, views?: readonly View[]) => Promise<void>;
}

test('pictures of the documentation', async (t) => {
  await buildSites();
  const uiPort = await freePort();
  const temporal = await ownTemporal(t, { uiPort });
  const temporalUiUrl = `http://127.0.0.1:${uiPort}`;
  const env = { RETRY_SCHEDULE_SECONDS: '1,1,600', TEMPORAL_UI_URL: temporalUiUrl };
  const system = await ownDashboardSystem(t, { env, temporalAddress: temporal.address });
  const stage = { ...system, temporalUiUrl, take: pictureTaker(system.page) };
  await brand(stage);
  const failedId = await takeDashboard(stage);
  t.deepEqual(system.complaints, []);
  await takeTerminal(t, stage, failedId);
  await takeTemporal(stage);
  await takeSites(stage);
  await takeConnectPages(stage);
  await takeMail(stage);
});

function pictureTaker(page: Page): Stage['take'] {
  return async (name, views = [desktop]) => {
    for (const view of views) {
      await show(page, view);
      const suffix = `${view.width === 390 ? '-390' : ''}${view.colorScheme === 'dark' ? '-dark' : ''}`;
      await takePicture(page, join(folder, `${name}${suffix}.png`));
    }
  };
}

async function brand({ api, db, tenant }: Stage): Promise<void> {
  const body = { displayName: 'Northwind Messaging', color: '#0b6e4f' };
  await api.call(`PUT /organizations/${tenant.organization.publicId}/branding`, body);
  await db('organizations').where({ id: tenant.organization.id }).update({ name: 'Northwind' });
}

const everyView = [desktop, dark, phone];

/** Returns the id of a failed delivery. */
async function takeDashboard(stage: Stage): Promise<string> {
  const { page, visit, take, tenant, apiUrls } = stage;
  await visit('');
  await take('dashboard/first-steps');
  const beforeReplay = async (): Promise<void> => {
    await visit('deliveries');
    const failed = page.getByRole('row', { name: /retrying/ }).first();
    await failed.waitFor();
    await take('dashboard/deliveries', everyView);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await take('dashboard/palette');
  };
  const pages = new Map(await createBusyWorkspace(stage, { beforeReplay }));
  for (const name of ['overview', 'delivery', 'channel']) {
    await visit(pages.get(name) ?? '');
    await take(`dashboard/${name}`, everyView);
  }
  for (const name of ['channels', 'channel-failing', 'webhook', 'replay', 'container']) {
    await visit(pages.get(name) ?? '');
    await take(`dashboard/${name}`);
  }
  await page.goto(`${apiUrls[0]}/app/${tenant.organization.publicId}/overview`);
  await take('dashboard/organization', everyView);
  return (pages.get('delivery') ?? '').replace('deliveries/', '');
}

async function takeTerminal(t: ExecutionContext<unknown>, stage: Stage, failedId: string): Promise<void> {
  const { apiUrls, context, tenant } = stage;
  const cli = await testCli(t, {
    BASE_URL: apiUrls[0]!,
    SERVICE_API_KEY: tenant.apiKey,
    SERVICE_WORKSPACE_ID: tenant.workspace.publicId,
  });
  const lines = ['list', 'deliveries list --limit 6', `deliveries show ${failedId}`];
  const commands: Command[] = [];
  for (const line of lines) {
    const { code, stdout, stderr } = await cli.run(line, { terminal: { columns: 140 } });
    t.is(code, 0, stderr);
    commands.push({ line: `channels ${line}`, output: stdout });
  }
  // Pages of the product have a policy against styles in the markup.
  const page = await context.newPage();
  await page.setContent(terminalPage(commands));
  await page.locator('pre').screenshot({ path: join(folder, 'operating/cli.png') });
  await page.close();
}

/** Takes the list, and a workflow that waits for its failing webhook. */
async function takeTemporal({ page, take, temporal, temporalUiUrl }: Stage): Promise<void> {
  await page.goto(`${temporalUiUrl}/namespaces/${temporal.options.namespace}/workflows`);
  const circuit = page.getByRole('link', { name: /^destination\/webhook-/ }).first();
  await circuit.waitFor();
  await take('operating/temporal-workflows');
  await circuit.click();
  await page.getByText('Event History').first().waitFor();
  await take('operating/temporal-circuit');
}

async function takeSites({ page, take, apiUrls }: Stage): Promise<void> {
  for (const view of everyView) {
    await show(page, view);
    await page.goto(`${apiUrls[0]}/docs`);
    await page.getByRole('heading', { level: 1, name: 'Messaging channels' }).waitFor();
    await take('sites/reference', [view]);
  }
  await page.goto(`${apiUrls[0]}/guides/receiving`);
  await take('sites/guides', everyView);
}

async function takeConnectPages({ page, take, api, tenant }: Stage): Promise<void> {
  const create = `POST /organizations/${tenant.organization.publicId}/onboarding-links`;
  const { url } = (await api.call(create, { label: 'Spring campaign', channelType: 'chatapp' })).body;
  await page.goto(url);
  await take('onboarding/connect-start', [desktop, phone]);
  await page.getByRole('button', { name: /^Continue to/ }).click();
  await page.getByLabel(/Sunrise Bakery \+1 555 010 0011/).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Connected', exact: true }).waitFor();
  await take('onboarding/connect-done', [desktop, phone]);
}

async function takeMail({ context }: Stage): Promise<void> {
  const page = await context.newPage();
  const mail = codeMail({ code: '482913', purpose: 'sign_in', scopes: null, windowMs: 600_000 });
  await page.setContent(mail.html ?? '');
  await pictureTaker(page)('onboarding/mail-code', [desktop, dark]);
  await page.close();
}
