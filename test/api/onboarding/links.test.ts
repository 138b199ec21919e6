import test from 'ava';
import { tenantStage } from '../../harness/api/stages.ts';
import { recordedActs } from '../../harness/api/recorded-acts.ts';
import { aTenant, type Tenant } from '../../harness/tenants.ts';

const linksOf = (tenant: Tenant) => `/organizations/${tenant.organization.publicId}/onboarding-links`;
const input = { label: 'Spring campaign', channelType: 'chatapp' };

test('a link is created, shown, changed, listed and revoked', async (t) => {
  const { db, call, tenant: mine, key, workspace } = await tenantStage(t);
  const created = (await call(`POST ${linksOf(mine)}`, { key, body: input })).body;
  t.regex(created.url, /^https:\/\/api\.example\.com\/connect\/[A-Za-z0-9_-]{43}$/);
  t.like(created, { ...input, workspaceId: null, status: 'active' });
  const one = `${linksOf(mine)}/${created.onboardingLinkId}`;
  t.deepEqual((await call(`GET ${one}`, { key })).body, created);

  const change = { label: 'Summer', workspaceId: workspace.publicId };
  t.like((await call(`PATCH ${one}`, { key, body: change })).body, { ...change, url: created.url });
  t.like((await call(`PATCH ${one}`, { key, body: { workspaceId: null } })).body, {
    label: 'Summer',
    workspaceId: null,
  });

  t.is((await call(`DELETE ${one}`, { key })).status, 204);
  t.is((await call(`DELETE ${one}`, { key })).status, 204, 'revoking again changes nothing');
  t.like((await call(`GET ${one}`, { key })).body, { status: 'revoked', url: null });
  t.like((await call(`GET ${linksOf(mine)}`, { key })).body, { onboardingLinks: [{ status: 'revoked' }] });
  t.deepEqual(await recordedActs(db), [
    'onboardingLink.created',
    'onboardingLink.changed',
    'onboardingLink.changed',
    'onboardingLink.revoked',
  ]);
});

test('the links table contains no readable token', async (t) => {
  const { db, call, tenant: mine } = await tenantStage(t);
  const { url } = (await call(`POST ${linksOf(mine)}`, { key: mine.apiKey, body: input })).body;
  const token = url.split('/').at(-1);
  const [row] = await db('onboarding_links').select();
  t.false(JSON.stringify(row).includes(token));
  t.false(row.token_hash.includes(token));
});

test('a regenerated link has another address under the same id', async (t) => {
  const { call, tenant: mine, key } = await tenantStage(t);
  const created = (await call(`POST ${linksOf(mine)}`, { key, body: input })).body;
  const again = (await call(`POST ${linksOf(mine)}/${created.onboardingLinkId}/regenerate`, { key })).body;
  t.is(again.onboardingLinkId, created.onboardingLinkId);
  t.not(again.url, created.url);
});

test("a revoked link can't be changed or regenerated", async (t) => {
  const { call, refused, tenant: mine, key } = await tenantStage(t);
  const { onboardingLinkId } = (await call(`POST ${linksOf(mine)}`, { key, body: input })).body;
  const one = `${linksOf(mine)}/${onboardingLinkId}`;
  await call(`DELETE ${one}`, { key });
  await refused('ONBOARDING_LINK_NOT_FOUND', `PATCH ${one}`, { key, body: { label: 'x' } });
  await refused('ONBOARDING_LINK_NOT_FOUND', `POST ${one}/regenerate`, { key });
});

test('links are paged newest first', async (t) => {
  const { call, refused, tenant: mine, key } = await tenantStage(t);
  for (const label of ['1', '2', '3']) await call(`POST ${linksOf(mine)}`, { key, body: { ...input, label } });
  const first = (await call(`GET ${linksOf(mine)}?limit=2`, { key })).body;
  t.like(first, { onboardingLinks: [{ label: '3' }, { label: '2' }] });
  const second = (await call(`GET ${linksOf(mine)}?limit=2&cursor=${first.nextCursor}`, { key })).body;
  t.like(second, { onboardingLinks: [{ label: '1' }], nextCursor: null });
  await refused('VALIDATION_ERROR', `GET ${linksOf(mine)}?cursor=ol_00000000`, { key });
});

test('a link takes no workspace of another organization', async (t) => {
  const { db, call, refused, workspace } = await tenantStage(t);
  const other = await aTenant(db);
  const { apiKey: key } = other;
  const workspaceId = workspace.publicId;
  await refused('WORKSPACE_NOT_FOUND', `POST ${linksOf(other)}`, { key, body: { ...input, workspaceId } });
  const own = (await call(`POST ${linksOf(other)}`, { key, body: input })).body.onboardingLinkId;
  await refused('WORKSPACE_NOT_FOUND', `PATCH ${linksOf(other)}/${own}`, { key, body: { workspaceId } });
});

test('an invalid link is refused with the wrong field named', async (t) => {
  const { refused, tenant: mine } = await tenantStage(t);
  const bodies = [
    {},
    { ...input, label: '' },
    { ...input, label: '  ' },
    { ...input, label: 'a\nb' },
    { ...input, label: 'x'.repeat(201) },
    { ...input, channelType: 'other' },
    { ...input, workspaceId: 'ws_nope' },
    { ...input, more: 1 },
  ];
  for (const body of bodies) {
    const answer = await refused('VALIDATION_ERROR', `POST ${linksOf(mine)}`, { key: mine.apiKey, body });
    t.regex(answer.body.message, /body\./);
  }
});

test('a link keeps, changes and removes what its owner sets', async (t) => {
  const { db, call, tenant: mine, key } = await tenantStage(t);
  const returns = {
    successUrl: 'https://shop.example/done',
    failureUrl: 'https://shop.example/failed',
    connectedNotificationUrl: 'https://shop.example/hook',
    externalId: 'shop-17',
    displayName: 'Corner shop',
    logoUrl: 'https://cdn.example/logo.png',
    maxUses: 1,
    expiresAt: '2999-01-01T00:00:00.000Z',
  };
  const created = (await call(`POST ${linksOf(mine)}`, { key, body: { ...input, ...returns } })).body;
  t.like(created, { ...returns, useCount: 0, status: 'active' });
  t.regex(created.notificationSecret, /^whsec_/);
  const one = `${linksOf(mine)}/${created.onboardingLinkId}`;
  const moved = (await call(`PATCH ${one}`, { key, body: { connectedNotificationUrl: 'https://b.example/' } })).body;
  t.is(moved.notificationSecret, created.notificationSecret);
  const cleared = Object.fromEntries(Object.keys(returns).map((name) => [name, null]));
  t.like((await call(`PATCH ${one}`, { key, body: cleared })).body, { ...cleared, notificationSecret: null });
  t.false(JSON.stringify(await db('onboarding_links')).includes(created.notificationSecret));
});

test('a link refuses invalid bounds', async (t) => {
  const { db, refused, tenant, key } = await tenantStage(t);
  const invalid = [
    ...[{ maxUses: 0 }, { maxUses: 1.5 }, { expiresAt: '2000-01-01T00:00:00Z' }, { externalId: 'a\nb' }],
    ...[{ displayName: ' ' }, { displayName: 'x'.repeat(201) }, { useCount: 1 }, { notificationSecret: 'whsec_x' }],
  ];
  for (const body of invalid) {
    await refused('VALIDATION_ERROR', `POST ${linksOf(tenant)}`, { key, body: { ...input, ...body } });
  }
  t.is((await db('onboarding_links')).length, 0);
});
