import test, { type ExecutionContext } from 'ava';
import { createSendKeptEvents } from '../../../../api/ingest/kept-events.ts';
import { createPlatformEvents } from '../../../../api/ingest/platform-events.ts';
import { sampleEvent } from '../../../../contract/webhooks/sample-event.ts';
import { refuseCredential } from '../../../../db/channels/refused-credentials.ts';
import { insertWorkspace } from '../../../../db/organizations/workspaces.ts';
import { testHotPool } from '../../../harness/database/hot-pool.ts';
import { aWebhook } from '../../../harness/deliveries/ledger.ts';
import { loseBodyKey } from '../../../harness/api/unrouted.ts';
import { connectStage } from '../../../harness/onboarding/connect.ts';
import { rememberingLog } from '../../../harness/quiet-log.ts';
import { testBodyBox } from '../../../harness/tenants.ts';

const NUMBER = '100000000000011';

async function keptStage(t: ExecutionContext<unknown>) {
  const stage = await connectStage(t);
  const { db, databaseUrl, link, visitor, tenant, call } = stage;
  const { apiKey: key, workspace } = tenant;
  const log = rememberingLog();
  const pool = testHotPool(t, databaseUrl, { connections: 2 });
  const events = createPlatformEvents({ pool, bodyBox: testBodyBox, log });
  t.teardown(() => events.idle());
  const { url } = await link({ workspaceId: workspace.publicId });
  await visitor().consent(url, [NUMBER]);
  const channel = await db('channels').first();
  await aWebhook(db, { id: channel.id, publicId: channel.public_id });
  const send = createSendKeptEvents({ db, bodyBox: testBodyBox, log, accept: (body) => events.accept(body) });

  return {
    db,
    log,
    channel,
    workspace,
    organization: tenant.organization,
    link,
    visitor,
    send,
    arrive: async (...nonces: readonly string[]) => {
      for (const nonce of nonces) {
        const sample = { eventType: 'chatapp.message.received', resourceId: NUMBER, nonce } as const;
        await events.accept(Buffer.from(sampleEvent({ ...sample, atMs: 1_700_000_000_000 })));
      }
    },
    disconnect: async () => {
      const route = `POST /platform/channels/${channel.public_id}/disconnect`;
      t.is((await call(route, { key, workspace: workspace.publicId })).status, 200);
    },
    connect: async () => t.is((await visitor().consent(url, [NUMBER])).status, 200),
    received: async () => (await db('events').orderBy('id').pluck('platform_message_id')) as string[],
    keptSince: async () => (await db('channels').where({ id: channel.id }).first('kept_since')).kept_since as unknown,
    minutePasses: () => db('channels').update({ updated_at: new Date(Date.now() - 61_000) }),
  };
}

test('events of a refused credential are delivered without a new connection', async (t) => {
  const { db, channel, arrive, connect, received, send, keptSince } = await keptStage(t);
  await refuseCredential(db, { of: { channelId: channel.id }, reason: 'The owner changed the password.' });
  await arrive('a', 'b');
  t.deepEqual(await received(), ['test-a', 'test-b']);
  t.deepEqual(await db('deliveries').pluck('status'), ['pending', 'pending']);
  await connect();
  t.is((await db('connection_credentials').first()).refused_at, null, 'a new connection ends the refusal');
  t.is(await keptSince(), null);
  t.false(await send());
  t.deepEqual(await received(), ['test-a', 'test-b']);
});

test('what arrived during a disconnection is delivered after the new connection', async (t) => {
  const { db, arrive, disconnect, connect, received, send, keptSince, minutePasses } = await keptStage(t);
  await arrive('before');
  await disconnect();
  await arrive('a', 'b');
  await send();
  t.deepEqual(await received(), ['test-before'], 'nothing is sent to a disconnected channel');
  await connect();
  await arrive('after');
  t.false(await send());
  t.deepEqual(await received(), ['test-before', 'test-after', 'test-a', 'test-b']);
  t.deepEqual(await db('deliveries').orderBy('id').pluck('status'), ['cancelled', 'pending', 'pending', 'pending']);
  await send();
  t.is((await received()).length, 4);
  t.truthy(await keptSince(), 'an event may still be committed');
  await minutePasses();
  await send();
  t.is(await keptSince(), null);
});

test('events from before the channel are not sent on', async (t) => {
  const { db, arrive, disconnect, connect, received, send } = await keptStage(t);
  await disconnect();
  await arrive('old');
  await db('unrouted_events').update({ created_at: new Date(Date.now() - 86_400_000) });
  await connect();
  await send();
  t.deepEqual(await received(), []);
});

test('events for another workspace are not sent on', async (t) => {
  const stage = await keptStage(t);
  const { db, arrive, disconnect, connect, received, send, keptSince } = stage;
  await disconnect();
  const second = await insertWorkspace(db, { organizationId: stage.organization.id, name: 'Second', kind: 'team' });
  const { url } = await stage.link({ workspaceId: second.publicId });
  await stage.visitor().consent(url, [NUMBER]);
  await db('channels').where({ workspace_id: second.id }).update({ disconnected_at: new Date() });
  await arrive('of the second');
  await connect();
  t.is(await keptSince(), null);
  await send();
  t.deepEqual(await received(), []);
});

test('a move ends the sending of kept events', async (t) => {
  const { db, channel, arrive, disconnect, connect, received, send } = await keptStage(t);
  await disconnect();
  await arrive('of the first');
  await db('channel_moves').insert({ channel_id: channel.id, from_workspace_id: channel.workspace_id });
  await connect();
  await send();
  t.deepEqual(await received(), []);
});

test('an unreadable event does not hold up the others', async (t) => {
  const { db, arrive, disconnect, connect, received, send, keptSince, minutePasses } = await keptStage(t);
  await disconnect();
  const nonces = Array.from({ length: 120 }, (_, index) => `n${index}`);
  await arrive(...nonces);
  await loseBodyKey(db, 110);
  await connect();
  t.true(await send());
  t.false(await send());
  t.is((await received()).length, 10);
  await minutePasses();
  while (await send());
  t.is(await keptSince(), null);
});
