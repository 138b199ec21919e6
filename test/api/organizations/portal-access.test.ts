import test from 'ava';
import { portalRights, scopesOfRights, wholeRights } from '../../../contract/identity/portal.ts';
import { neededScopes } from '../../../openapi/definitions/route-definition.ts';
import { routes } from '../../../openapi/route-table.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage, channelStage } from '../../harness/api/stages.ts';
import { aSampledTenant } from '../../harness/access/id-samples.ts';
import { testApi } from '../../harness/api/api.ts';
import { aPortal } from '../../harness/access/portals.ts';
import { aDestination, aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aChannel, aKey } from '../../harness/tenants.ts';

const admitted = routes.flatMap((route) => {
  const { access } = route;
  return access.auth === 'credential' && access.portal ? [{ ...route, access, right: access.portal }] : [];
});

test('no route with secrets admits portals', (t) => {
  t.true(admitted.length > 15);
  t.deepEqual(
    admitted.filter(({ reveals }) => reveals !== undefined),
    [],
  );
});

test('each right has the scopes of the routes that it opens', (t) => {
  for (const { operationId, access, right } of admitted) {
    const held = scopesOfRights(wholeRights([right]));
    t.deepEqual(
      neededScopes(access).filter((scope) => !held.includes(scope)),
      [],
      operationId,
    );
  }
  t.deepEqual(
    portalRights.filter((right) => !admitted.some((route) => route.right === right)),
    [],
  );
});

test('to a portal of one channel, other channels are missing', async (t) => {
  const { db, call, refused } = await testApi(t);
  const mine = await aSampledTenant(db);
  const other = await aSampledTenant(db, mine);
  const channelOf = async (publicId: string) => (await db('channels').where({ public_id: publicId }).first('id')).id;
  const channelIds = [await channelOf(mine.id('channel'))];
  const { accessToken: key } = await aPortal(db, mine, { channelIds });
  const workspace = mine.workspace.publicId;

  const { body } = await call('GET /platform/channels', { key, workspace });
  t.deepEqual(fieldsOf(body.channels, 'id'), [mine.id('channel')]);
  const visible = `channel:${mine.id('channel')}`;
  const hidden = `channel:${other.id('channel')}`;
  t.is((await call(`GET /deliveries?scope=${visible}`, { key, workspace })).body.deliveries.length, 1);
  t.is((await call(`GET /deliveries/${mine.id('delivery')}`, { key, workspace })).status, 200);
  t.is((await call(`GET /channels/${mine.id('channel')}/subscriptions`, { key })).status, 200);
  t.is((await call(`GET /replays?scope=${visible}`, { key, workspace })).status, 200);
  t.is((await call(`GET /replays/${mine.id('replay')}`, { key, workspace })).status, 200);

  await refused('FORBIDDEN', 'GET /deliveries', { key, workspace });
  await refused('FORBIDDEN', `GET /deliveries?scope=workspace:${workspace}`, { key, workspace });
  await refused('CHANNEL_NOT_FOUND', `GET /deliveries?scope=${hidden}`, { key, workspace });
  await refused('FORBIDDEN', 'GET /replays', { key, workspace });
  await refused('CHANNEL_NOT_FOUND', `GET /replays?scope=${hidden}`, { key, workspace });
  const replay = { since: new Date(0).toISOString(), until: new Date().toISOString(), statuses: ['exhausted'] };
  await refused('FORBIDDEN', 'POST /replays', { key, body: { ...replay, scope: `workspace:${workspace}` } });
  await refused('CHANNEL_NOT_FOUND', 'POST /replays', { key, body: { ...replay, scope: hidden } });

  for (const { method, path, parameters, body: input } of admitted) {
    const [[name, parameter] = [], ...others] = Object.entries(parameters);
    if (name === undefined || parameter?.kind === 'platformId' || !parameter) continue;
    const at = (first: string) =>
      path.replace(/\{(\w+)\}/g, (_, each: string) => {
        const kind = others.find(([one]) => one === each)?.[1].kind;
        return kind === undefined || kind === 'platformId' ? first : other.id(kind);
      });
    const route = `${method.toUpperCase()} ${at(other.id(parameter.kind))}`;
    const sent = { key, workspace, ...(input && { body: samples[`${method} ${path}`] ?? {} }) };
    await refused(parameter.notFound, route, sent);
  }
});

/** Bodies that their schemas accept. */
const samples: Readonly<Record<string, object>> = {
  'post /channels/{ch}/subscriptions': { url: 'https://a.example', events: ['chatapp.message.received'] },
  'patch /channels/{ch}/subscriptions/{sub}': { enabled: false },
};

test('a limited key grants only rights whose scopes it has', async (t) => {
  const { db, call, refused, organization, workspace, user } = await tenantStage(t);
  const scopes = ['credentials.manage', 'channel.read', 'deliveries.read'] as const;
  const key = await aKey(db, { organization, user, scopes });
  const create = `POST /workspaces/${workspace.publicId}/portal-links`;
  const { body } = await refused('AGENT_SCOPE_INSUFFICIENT', create, { key, body: { rights: ['deliveries.retry'] } });
  t.regex(body.message, /deliveries\.replay/);
  await refused('AGENT_SCOPE_INSUFFICIENT', create, { key, body: { rights: ['subscriptions.manage'] } });
  t.is((await call(create, { key, body: { rights: ['deliveries.read'] } })).status, 201);
  const other = await aKey(db, { organization, user, scopes: ['channel.read'] });
  await refused('AGENT_SCOPE_INSUFFICIENT', create, { key: other, body: { rights: ['channels.read'] } });
});

test('a portal that is limited to channels never sees a later one', async (t) => {
  const { db, call, tenant, channel } = await channelStage(t);
  const { accessToken: key } = await aPortal(db, tenant, { channelIds: [channel.id] });
  const whole = await aPortal(db, tenant);
  await aChannel(db, tenant.workspace);
  const workspace = tenant.workspace.publicId;
  t.is((await call('GET /platform/channels', { key, workspace })).body.channels.length, 1);
  t.is((await call('GET /platform/channels', { key: whole.accessToken, workspace })).body.channels.length, 2);
});

test('a portal sees no address of the webhook', async (t) => {
  const { db, call, tenant, workspace, user, channel } = await channelStage(t);
  const destinationId = await aWebhook(db, channel, { url: 'https://receiver.example.com/hook?secret=1' });
  const options = { headers: ['x-tenant'], authentication: { type: 'basic', username: 'receiver' } };
  await db('destinations').where({ id: destinationId }).update({ options });
  const subscriptionId = await aDestination(db, channel);
  const delivery = await aLedgerDelivery(db, channel, { status: 'exhausted', destinationId });
  await aLedgerDelivery(db, channel, { status: 'delivered', destinationId: subscriptionId });
  const { accessToken } = await aPortal(db, tenant);
  const { headers } = await aSession(db, user);
  const portal = { key: accessToken, workspace: workspace.publicId };
  const reads = [
    'GET /platform/channels',
    `GET /platform/channels/${channel.publicId}`,
    'GET /deliveries',
    `GET /deliveries/${delivery.publicId}`,
    `GET /channels/${channel.publicId}/destinations`,
    `GET /channels/${channel.publicId}/statistics`,
    `POST /deliveries/${delivery.publicId}/replay`,
  ];
  for (const route of reads) {
    const [full, hidden] = await Promise.all(
      [{ headers, workspace: workspace.publicId }, portal].map(async (who) => {
        const { status, body } = await call(route, { ...who, ...(route.startsWith('POST') && { body: {} }) });
        t.true(status < 300, `${route}: ${JSON.stringify(body)}`);
        return JSON.stringify(body);
      }),
    );
    t.regex(full!, /receiver/, route);
    t.notRegex(hidden!, /receiver|x-tenant/, route);
  }
  const { body } = await call(`GET /channels/${channel.publicId}/destinations`, portal);
  t.deepEqual(fieldsOf(body.destinations, 'type', 'url'), [
    ['webhook', null],
    ['subscription', 'https://extra.example.com/hook'],
  ]);
});
