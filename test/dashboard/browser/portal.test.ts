import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import type { FrameLocator } from 'playwright-core';
import type { Workspace } from '../../../db/organizations/workspaces.ts';
import { aDestination, aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel } from '../../harness/tenants.ts';
import { button, dialogButton, goTo, heading } from './dashboard-page.ts';
import { browserTest as test, dashboardSite } from './dashboard-site.ts';

/** A page of another site that shows the portal in a frame. `localhost` and `127.0.0.1` are different sites. */
async function embeddingPage(t: ExecutionContext<unknown>) {
  const shown = { src: '' };
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>App</title><iframe id="portal" width="1100" height="700" src="${shown.src}"></iframe>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { origin, show: (src: string) => void (shown.src = src) };
}

const allRights = ['deliveries.retry', 'subscriptions.manage', 'replays.manage'];

async function twoChannels(db: Knex, workspace: Workspace) {
  const shop = await aChannel(db, workspace);
  const other = await aChannel(db, workspace);
  await db('channels').where({ id: shop.id }).update({ display_name: 'Corner shop' });
  await db('channels').where({ id: other.id }).update({ display_name: 'Hidden shop' });
  const destinationId = await aWebhook(db, shop);
  const delivery = await aLedgerDelivery(db, shop, { destinationId, status: 'exhausted', attemptCount: 1 });
  await aLedgerDelivery(db, other, { destinationId: await aDestination(db, other) });
  return { shop, other, delivery };
}

type Shops = Awaited<ReturnType<typeof twoChannels>>;

async function readDelivery(portal: FrameLocator, { delivery }: Pick<Shops, 'delivery'>): Promise<void> {
  await portal.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Deliveries' }).click();
  await portal.getByRole('table', { name: 'Deliveries' }).getByText('exhausted').waitFor();
  await portal.locator(`.table a[href$="${delivery.publicId}"]`).click();
  await portal.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor();
  await portal.getByRole('button', { name: 'Retry delivery' }).waitFor();
  await portal.getByRole('definition').getByRole('link', { name: 'Corner shop' }).click();
  await portal.getByRole('link', { name: 'Subscriptions' }).click();
  await portal.getByRole('button', { name: 'Create subscription' }).first().waitFor();
}

async function replayAll(portal: FrameLocator): Promise<void> {
  await portal.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Replays' }).click();
  await portal.getByRole('link', { name: 'Create replay' }).first().click();
  await portal.getByRole('button', { name: 'Count events (dry run)' }).click();
  await portal.getByText('1 event would be sent', { exact: false }).waitFor();
  await portal.getByRole('button', { name: 'Replay 1 event' }).click();
  await portal.getByRole('heading', { level: 1, name: 'Replay', exact: true }).waitFor();
}

test('a customer uses the portal in a frame of another site', async (t) => {
  const { page, tenant, call, complaints, db } = await dashboardSite(t);
  const { apiKey: key, organization, workspace } = tenant;
  const { shop, delivery } = await twoChannels(db, workspace);
  const app = await embeddingPage(t);
  const body = { displayName: 'Acme Messaging', color: '#ffd400', portalFrameAncestors: [app.origin] };
  t.is((await call(`PUT /organizations/${organization.publicId}/branding`, { key, body })).status, 200);
  const create = `POST /workspaces/${workspace.publicId}/portal-links`;
  const link = (await call(create, { key, body: { rights: allRights, channelIds: [shop.publicId] } })).body;
  app.show(link.url);
  await page.goto(app.origin);
  const portal = page.frameLocator('#portal');

  await portal.getByRole('link', { name: 'Corner shop' }).waitFor();
  await portal.getByText('Acme Messaging').waitFor();
  t.is(await portal.getByText('Hidden shop').count(), 0);
  const frame = page.frames()[1]!;
  const styleOf = "getComputedStyle(document.querySelector('.portal-bar'))";
  t.is(await frame.evaluate(`${styleOf}.backgroundColor`), 'rgb(255, 212, 0)');
  t.is(await frame.evaluate(`${styleOf}.color`), 'rgb(0, 0, 0)');
  t.false(frame.url().includes('#'), 'the secret leaves the address');

  await readDelivery(portal, { delivery });
  t.true(frame.url().endsWith(`/portal/${link.portalLinkId}/channels/${shop.publicId}/subscriptions`));
  await replayAll(portal);
  t.is((await db('replays')).length, 1);
  const acts = await db('audit_entries').where({ actor_type: 'portal' }).orderBy('id').pluck('action');
  t.deepEqual(acts, ['portalLink.opened', 'replay.counted', 'replay.created']);

  await call(`DELETE /workspaces/${workspace.publicId}/portal-links/${link.portalLinkId}`, { key });
  await portal.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Deliveries' }).click();
  await portal.getByRole('heading', { name: 'This page has ended' }).waitFor();
  t.deepEqual(complaints, []);
});

test('a portal shows only what its rights allow', async (t) => {
  const { page, tenant, call, complaints, db } = await dashboardSite(t);
  const { apiKey: key, workspace } = tenant;
  const { delivery } = await twoChannels(db, workspace);
  const create = `POST /workspaces/${workspace.publicId}/portal-links`;
  const rights = ['deliveries.read', 'subscriptions.read'];
  const link = (await call(create, { key, body: { rights } })).body;
  await page.goto(link.url);
  await page.getByRole('link', { name: 'Hidden shop' }).waitFor();
  const menu = page.getByRole('navigation', { name: 'Portal' });
  t.deepEqual(await menu.getByRole('link').allTextContents(), ['Channels', 'Deliveries']);
  await page.getByRole('link', { name: 'Corner shop' }).click();
  await page.getByRole('link', { name: 'Subscriptions' }).click();
  await page.getByRole('heading', { name: 'No subscriptions yet' }).waitFor();
  t.is(await page.getByRole('button', { name: 'Create subscription' }).count(), 0);
  await menu.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByRole('table', { name: 'Deliveries' }).getByText('exhausted').waitFor();
  await page.locator(`a[href$="${delivery.publicId}"]`).click();
  await page.getByRole('heading', { level: 2, name: 'Payload' }).waitFor();
  t.is(await page.getByRole('button', { name: 'Retry delivery' }).count(), 0);
  await page.reload();
  await page.getByRole('heading', { name: 'This page has ended' }).waitFor();
  t.deepEqual(complaints, []);
});

test('a portal says why and since when a channel fails', async (t) => {
  const { page, tenant, call, complaints, db } = await dashboardSite(t);
  const { apiKey: key, organization, workspace } = tenant;
  const { shop } = await twoChannels(db, workspace);
  const since = new Date(Date.now() - 3_600_000);
  await db('destinations').where({ channel_id: shop.id }).update({ failing_since: since });
  const bare = await aChannel(db, workspace);
  await db('channels').where({ id: bare.id }).update({ display_name: 'Bare shop' });
  const branding = { color: '#0b7a5c', portalFrameAncestors: [] };
  await call(`PUT /organizations/${organization.publicId}/branding`, { key, body: branding });
  const create = `POST /workspaces/${workspace.publicId}/portal-links`;
  const link = (await call(create, { key, body: { rights: ['subscriptions.manage'] } })).body;
  await page.goto(link.url);
  await page.getByRole('row', { name: 'Bare shop' }).getByText('no destination').waitFor();
  await page.getByRole('link', { name: 'Corner shop' }).click();
  await page.getByText('Webhook: The receiver fails, and deliveries are retried. It began').waitFor();
  await page.getByRole('link', { name: 'Channels' }).click();
  await page.getByRole('link', { name: 'Bare shop' }).click();
  await page.getByRole('link', { name: 'Subscriptions' }).click();
  await page.getByText('no webhook is set. Create a subscription to send selected types to a URL.').waitFor();
  await page.getByRole('button', { name: 'Create subscription' }).first().click();
  const submit = "getComputedStyle(document.querySelector('.dialog .button.primary')).backgroundColor";
  t.is(await page.evaluate(submit), 'rgb(11, 122, 92)');
  t.deepEqual(complaints, []);
});

test('only the origins of its organization can frame a portal', async (t) => {
  const { page, tenant, call } = await dashboardSite(t);
  const { apiKey: key, workspace } = tenant;
  const app = await embeddingPage(t);
  const create = `POST /workspaces/${workspace.publicId}/portal-links`;
  const link = (await call(create, { key, body: { rights: ['channels.read'] } })).body;
  app.show(link.url);
  await Promise.all([
    page.waitForEvent('console', (message) => message.text().includes('frame-ancestors')),
    page.goto(app.origin),
  ]);
  t.is((await call(`GET /workspaces/${workspace.publicId}/portal-links`, { key })).body.portalLinks[0].useCount, 0);
});

test('an admin sets the branding and creates a portal link', async (t) => {
  const { page, tenant, signIn, complaints, db } = await dashboardSite(t);
  await aChannel(db, tenant.workspace);
  await signIn(tenant.user.email);
  await goTo(page, 'Settings');
  await page.getByLabel('Display name').fill('Acme Messaging');
  await page.getByLabel('Color').fill('#0b5fff');
  await page.getByLabel('Sites that may embed the portal').fill('https://app.example.com');
  await button(page, 'Save branding').click();
  await page.getByText('Branding saved.').waitFor();
  const [saved] = await db('organization_branding');
  t.like(saved, { display_name: 'Acme Messaging', color: '#0b5fff' });

  await goTo(page, 'Workspace settings', 'Workspace');
  await button(page, 'Create portal link').click();
  await page.getByLabel('Name', { exact: true }).fill('Ticket 4711');
  await page.getByLabel('Retry, cancel and replay deliveries').check();
  await dialogButton(page, 'Create link').click();
  await page.getByRole('heading', { name: 'Portal link created' }).waitFor();
  const url = await page.getByRole('dialog').locator('code').first().textContent();
  await dialogButton(page, 'Done').click();
  await page.getByRole('cell', { name: 'Ticket 4711' }).waitFor();

  await page.goto(url!);
  await heading(page, 'Channels').waitFor();
  t.regex(await page.title(), /Acme Messaging$/);
  await page.goto(new URL(url!).origin);
  await goTo(page, 'Workspace settings', 'Workspace');
  await button(page, 'Revoke Ticket 4711').click();
  await page.getByRole('cell', { name: 'revoked' }).waitFor();
  t.deepEqual(complaints, []);
});
