import type { Knex } from 'knex';
import test, { type ExecutionContext } from 'ava';
import { MAX_PORTAL_DELIVERIES } from '../../../contract/identity/limits.ts';
import { UNVERIFIED_REPLAY_RATE } from '../../../contract/replays/replay.ts';
import { testApi } from '../../harness/api/api.ts';
import { aPortal } from '../../harness/access/portals.ts';
import { aDestination, aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aStaffKey } from '../../harness/people/staff.ts';
import { aChannel, aTenant, type TestChannel } from '../../harness/tenants.ts';

/** Two organizations with a subscription at one host. */
async function twoTenants(t: ExecutionContext) {
  const api = await testApi(t, {
    starts: {
      sendTestEvent: async () => await Promise.resolve({ state: 'not_started', cause: 'none' }),
    },
  });
  const made = async () => {
    const tenant = await aTenant(api.db);
    const channel = await aChannel(api.db, tenant.workspace);
    const destinationId = await aDestination(api.db, channel);
    const { publicId } = await aLedgerDelivery(api.db, channel, { status: 'exhausted', destinationId });
    return {
      tenant,
      channel,
      destinationId,
      publicId,
      at: { key: tenant.apiKey, workspace: tenant.workspace.publicId },
    };
  };
  return { ...api, first: await made(), second: await made(), made };
}

async function aSubscription(
  db: Knex,
  { channel, destinationId }: { readonly channel: TestChannel; readonly destinationId: number },
): Promise<{ readonly publicId: string }> {
  const publicId = 'sub_AAAAAAAA';
  await db('subscriptions').insert({ public_id: publicId, channel_id: channel.id, destination_id: destinationId });
  return { publicId };
}

test('all requests for deliveries to an unverified host share its pace', async (t) => {
  const { db, call, first, second } = await twoTenants(t);
  const { token: staff } = await aStaffKey(db);
  const { publicId: subscription } = await aSubscription(db, first);
  const ways = [
    () => call(`POST /deliveries/${first.publicId}/replay`, { ...first.at, body: {} }),
    () => call(`POST /deliveries/${second.publicId}/replay`, { ...second.at, body: {} }),
    () => call(`POST /deliveries/${first.publicId}/retry`, first.at),
    () =>
      call(`POST /channels/${first.channel.publicId}/subscriptions/${subscription}/test`, {
        ...first.at,
        body: {},
      }),
    () => call(`POST /staff/deliveries/${first.publicId}/retry`, { key: staff, body: { reason: 'a test' } }),
    () => call(`POST /staff/deliveries/${second.publicId}/replay`, { key: staff, body: { reason: 'a test' } }),
  ];
  const alerts = `/organizations/${first.tenant.organization.publicId}/alert-webhook`;
  const url = 'https://extra.example.com/alerts';
  t.is((await call(`PUT ${alerts}`, { ...first.at, body: { url } })).status, 200);
  ways.push(() => call(`POST ${alerts}/test`, first.at));
  await db('replay_paces').insert({ host: 'extra.example.com', paced_at: db.raw(`now() + interval '1 hour'`) });
  for (const way of ways) {
    const { status, headers, body } = await way();
    t.is(status, 429, JSON.stringify(body));
    t.is(body.code, 'RATE_LIMITED');
    t.is(headers.get('retry-after'), '1');
  }
  t.is((await db('deliveries').where({ status: 'pending' })).length, 0);
  t.is((await db('test_events')).length + (await db('notifications')).length, 0);
});

test('a rested unverified host takes ten deliveries at once', async (t) => {
  const { db, call, first } = await twoTenants(t);
  const replays = Array.from({ length: 3 * UNVERIFIED_REPLAY_RATE }, () =>
    call(`POST /deliveries/${first.publicId}/replay`, { ...first.at, body: {} }),
  );
  const statuses = (await Promise.all(replays)).map(({ status }) => status);
  t.true(statuses.filter((status) => status === 202).length >= UNVERIFIED_REPLAY_RATE);
  const { seconds } = await db('deliveries')
    .where({ status: 'pending' })
    .first(db.raw('extract(epoch from max(created_at) - min(created_at))::float8 as seconds'));
  const sentCount = statuses.filter((status) => status === 202).length;
  t.true(sentCount <= UNVERIFIED_REPLAY_RATE * (1 + seconds) + 1, `${sentCount} in ${seconds} s`);
});

test('a repeated key takes no turn', async (t) => {
  const { db, call, first } = await twoTenants(t);
  const replay = () =>
    call(`POST /deliveries/${first.publicId}/replay`, {
      ...first.at,
      body: {},
      headers: { 'idempotency-key': 'once' },
    });
  const { status, body } = await replay();
  t.is(status, 202);
  await db('replay_paces').update({ paced_at: db.raw(`now() + interval '1 hour'`) });
  t.is((await replay()).body.deliveryId, body.deliveryId);
});

test('a verified origin and a webhook have no pace', async (t) => {
  const { db, call, first, made } = await twoTenants(t);
  await db('replay_paces').insert({ host: 'extra.example.com', paced_at: db.raw(`now() + interval '1 hour'`) });
  const replay = ({ publicId, at }: typeof first) => call(`POST /deliveries/${publicId}/replay`, { ...at, body: {} });
  t.is((await replay(first)).status, 429);
  await aWebhook(db, first.channel, { url: 'https://extra.example.com/webhook' });
  t.is((await replay(first)).status, 202);
  const third = await made();
  const destinationId = await aWebhook(db, third.channel, { url: 'https://extra.example.com/webhook' });
  const { publicId } = await aLedgerDelivery(db, third.channel, { status: 'exhausted', destinationId });
  t.is((await replay({ ...third, publicId })).status, 202);
});

test('portals of a workspace share a daily number of single deliveries', async (t) => {
  const { db, call, first } = await twoTenants(t);
  const { channel, tenant } = first;
  const destinationId = await aWebhook(db, channel);
  const { publicId } = await aLedgerDelivery(db, channel, { status: 'exhausted', destinationId });
  const portals = [await aPortal(db, tenant), await aPortal(db, tenant)];
  const replayBy = ({ accessToken: key }: { accessToken: string }) =>
    call(`POST /deliveries/${publicId}/replay`, { key, workspace: tenant.workspace.publicId, body: {} });
  t.is((await replayBy(portals[0]!)).status, 202);
  // As if the others were requested at once.
  await db('replay_paces')
    .where('host', 'like', 'portals%')
    .update({ paced_at: db.raw(`now() + interval '24 hours'`) });
  const { status, headers, body } = await replayBy(portals[1]!);
  t.is(status, 429);
  t.regex(body.message, new RegExp(`at most ${MAX_PORTAL_DELIVERIES} retries`));
  const retryAfter = Number(headers.get('retry-after'));
  t.true(retryAfter > 1_500 && retryAfter <= 1_800, String(retryAfter));
  const { publicId: subscription } = await aSubscription(db, first);
  const test = `POST /channels/${channel.publicId}/subscriptions/${subscription}/test`;
  t.is((await call(test, { key: portals[0]!.accessToken, body: {} })).status, 429);
  t.is((await call(`POST /deliveries/${publicId}/replay`, { ...first.at, body: {} })).status, 202, 'the organization');
});
