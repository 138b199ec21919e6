import test from 'ava';
import { createRateLimits } from '../../../api/requests/rate-limits.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage, channelStage } from '../../harness/api/stages.ts';
import { removeAllExpired } from '../../harness/database/remove-expired.ts';
import { partsOf } from '../../harness/access/portals.ts';
import { testApi } from '../../harness/api/api.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';
import { aDestination, aLedgerDelivery } from '../../harness/deliveries/ledger.ts';

test('a portal link opens a session with its rights', async (t) => {
  const { db, call, refused, key, workspace, organization } = await tenantStage(t);
  const create = `POST /workspaces/${workspace.publicId}/portal-links`;
  const created = await call(create, { key, body: { rights: ['deliveries.retry'], name: 'Ticket 4711' } });
  t.is(created.status, 201);
  t.deepEqual(created.body.rights, ['channels.read', 'deliveries.read', 'deliveries.retry']);
  t.is(Date.parse(created.body.expiresAt) - Date.parse(created.body.createdAt), 3_600_000);
  t.like(created.body, { name: 'Ticket 4711', channelIds: null, status: 'active', useCount: 0, lastUsedAt: null });

  const secret = partsOf(created.body.url);
  const started = await call('POST /portal/session', { body: secret });
  t.like(started.body, {
    expiresAt: created.body.expiresAt,
    organization: { id: organization.publicId, name: 'Acme' },
    workspace: { id: workspace.publicId, name: 'Team' },
    channelIds: null,
    branding: { displayName: null, logoUrl: null, color: null, textColor: null },
  });
  const session = { key: started.body.accessToken, workspace: workspace.publicId };
  t.is((await call('GET /deliveries', session)).status, 200);
  await refused('FORBIDDEN', `GET /replays?scope=workspace:${workspace.publicId}`, session);
  await refused('FORBIDDEN', 'GET /auth/session', session);
  await refused('FORBIDDEN', `GET /workspaces/${workspace.publicId}`, session);

  const { body: list } = await call(`GET /workspaces/${workspace.publicId}/portal-links`, { key });
  t.is(list.portalLinks[0].useCount, 1);
  t.false(JSON.stringify(list).includes(secret.secret));
  const dump = JSON.stringify([await db('portal_links'), await db('audit_entries')]);
  t.false(dump.includes(secret.secret));
});

test('a wrong, foreign, expired or revoked link starts no session', async (t) => {
  const { db, call, refused, key, workspace } = await tenantStage(t);
  const path = `/workspaces/${workspace.publicId}/portal-links`;
  const created = async () => (await call(`POST ${path}`, { key, body: { rights: ['channels.read'] } })).body;
  const one = await created();
  const two = await created();
  const three = await created();
  const first = partsOf(one.url);
  const second = partsOf(two.url);
  const refuse = async (body: object) => (await refused('AUTH_REQUIRED', 'POST /portal/session', { body })).body;

  const wrong = await refuse({ ...first, secret: second.secret });
  const unknown = await refuse({ ...first, portalLinkId: 'ptl_00000000' });
  t.is(wrong.message, unknown.message);
  const session = (await call('POST /portal/session', { body: first })).body.accessToken;
  t.is((await call('GET /platform/channels', { key: session, workspace: workspace.publicId })).status, 200);
  t.is((await call(`DELETE ${path}/${first.portalLinkId}`, { key })).status, 204);
  t.is((await call(`DELETE ${path}/${first.portalLinkId}`, { key })).status, 204);
  await refuse(first);
  await refused('AUTH_REQUIRED', 'GET /platform/channels', { key: session, workspace: workspace.publicId });

  const past = { created_at: new Date(Date.now() - 7_200_000), expires_at: new Date(Date.now() - 1) };
  await db('portal_links').where({ public_id: second.portalLinkId }).update(past);
  await refuse(second);
  const { body: list } = await call(`GET ${path}`, { key });
  const statuses = list.portalLinks.map(({ status }: { status: string }) => status);
  t.deepEqual(statuses, ['active', 'expired', 'revoked']);
  await refused('PORTAL_LINK_NOT_FOUND', `DELETE ${path}/ptl_00000000`, { key });
  t.is((await call(`GET ${path}?limit=1`, { key })).body.portalLinks[0].portalLinkId, three.portalLinkId);
});

test('the audit log names the portal link as the actor', async (t) => {
  const { db, call, key, workspace, organization, channel } = await channelStage(t);
  const destinationId = await aDestination(db, channel);
  const delivery = await aLedgerDelivery(db, channel, { status: 'pending', destinationId });
  const create = `POST /workspaces/${workspace.publicId}/portal-links`;
  const { body } = await call(create, { key, body: { rights: ['deliveries.retry'] } });
  const secret = partsOf(body.url);
  const { accessToken } = (await call('POST /portal/session', { body: secret })).body;
  await call('POST /portal/session', { body: secret });
  const cancel = `POST /deliveries/${delivery.publicId}/cancel`;
  t.is((await call(cancel, { key: accessToken, workspace: workspace.publicId })).status, 200);
  const { entries } = (
    await call(`GET /organizations/${organization.publicId}/audit-entries?actor=${secret.portalLinkId}`, { key })
  ).body;
  const acts = entries.map(({ action, actor }: { action: string; actor: { type: string } }) => [action, actor.type]);
  t.deepEqual(acts, [
    ['delivery.cancelled', 'portal'],
    ['portalLink.opened', 'portal'],
  ]);
});

test('the audit log says what a link shows and for how long', async (t) => {
  const { db, call, key, workspace } = await tenantStage(t);
  const { publicId: channelId } = await aChannel(db, workspace);
  const create = `POST /workspaces/${workspace.publicId}/portal-links`;
  await call(create, { key, body: { rights: ['replays.read'], channelIds: [channelId], expiresIn: 60 } });
  await call(create, { key, body: { rights: ['channels.read'] } });
  const entries = await db('audit_entries').where({ action: 'portalLink.created' }).orderBy('id');
  t.deepEqual(fieldsOf(entries, 'reason'), [
    `channels.read replays.read; channels ${channelId}; for 60 s`,
    'channels.read; for 3600 s',
  ]);
});

test('the input of a link is bounded', async (t) => {
  const { db, refused, key, workspace, channel } = await channelStage(t);
  const foreign = await aChannel(db, (await aTenant(db)).workspace);
  const create = `POST /workspaces/${workspace.publicId}/portal-links`;
  const rights = ['channels.read'];
  const bad = [{}, { rights: [] }, { rights: ['channel.reveal'] }, { rights, expiresIn: 59 }];
  for (const body of [...bad, { rights, expiresIn: 86_401 }, { rights, channelIds: [] }, { rights, other: 1 }]) {
    await refused('VALIDATION_ERROR', create, { key, body });
  }
  const channelIds = [channel.publicId, foreign.publicId];
  await refused('CHANNEL_NOT_FOUND', create, { key, body: { rights, channelIds } });
  t.is(Number((await db('portal_links').count())[0]!['count']), 0);
});

test('an organization has a limited number of live links', async (t) => {
  const { db, call, refused, key, workspace, organization } = await tenantStage(t);
  await db('organizations')
    .where({ id: organization.id })
    .update({ limits: { portalLinks: 1 } });
  const create = `POST /workspaces/${workspace.publicId}/portal-links`;
  const body = { rights: ['channels.read'] };
  t.is((await call(create, { key, body })).status, 201);
  await refused('LIMIT_REACHED', create, { key, body });
});

test('wrong secrets exhaust the limit of failures', async (t) => {
  const rateLimits = createRateLimits({ perCredential: 1_000, perAddress: 1_000, failuresPerAddress: 2 });
  const { refused } = await testApi(t, { rateLimits });
  const body = { portalLinkId: 'ptl_00000000', secret: 'x' };
  await refused('AUTH_REQUIRED', 'POST /portal/session', { body });
  await refused('AUTH_REQUIRED', 'POST /portal/session', { body });
  await refused('RATE_LIMITED', 'POST /portal/session', { body });
  t.pass();
});

test('a portal token is no session and no API key', async (t) => {
  const { db, call, url, tenant } = await tenantStage(t);
  const create = `POST /workspaces/${tenant.workspace.publicId}/portal-links`;
  const { body } = await call(create, { key: tenant.apiKey, body: { rights: ['channels.read'] } });
  const { accessToken } = (await call('POST /portal/session', { body: partsOf(body.url) })).body;
  const mcp = await fetch(`${url}/mcp`, { method: 'POST', headers: { 'x-api-key': accessToken } });
  t.is(mcp.status, 401);
  const { headers } = await aSession(db, tenant.user);
  // The header takes precedence over the cookie of the person who embeds or tests the portal.
  const both = await fetch(`${url}/auth/session`, { headers: { ...headers, authorization: `Bearer ${accessToken}` } });
  t.is(both.status, 403);
});

test('ended links are deleted after a week', async (t) => {
  const { db, call, key, workspace } = await tenantStage(t);
  const path = `/workspaces/${workspace.publicId}/portal-links`;
  for (const _ of [1, 2, 3, 4]) await call(`POST ${path}`, { key, body: { rights: ['channels.read'] } });
  const ids = await db('portal_links').orderBy('id').limit(3).pluck('id');
  // One clock reading: a link may live for a day and no millisecond longer.
  const nowMs = Date.now();
  const daysAgo = (days: number): Date => new Date(nowMs - days * 86_400_000);
  await db('portal_links')
    .whereIn('id', ids)
    .update({ created_at: daysAgo(9), expires_at: daysAgo(8) });
  t.is(await removeAllExpired(db, 'portal_links', { cutoff: daysAgo(7) }), 3);
  t.is((await call(`GET ${path}`, { key })).body.portalLinks.length, 1);
});
