import test, { type ExecutionContext } from 'ava';
import { signWebhook } from '../../../simulator/webhooks/post-webhook.ts';
import { openEventStream } from '../../harness/connections/event-stream.ts';
import { rawConnection } from '../../harness/connections/raw-connection.ts';
import { startSystem, type System } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';
import { callCounts, stopStage } from './held-calls.ts';
import { untilSession, untilReaderWaits } from '../../harness/system/sessions.ts';
import { messageBytes } from '../../harness/system/patient-poster.ts';

/** The commit is refused before. Afterwards the database may end it first, or the stop the connection. */
const BUSY_MS = 8_000;

test('streams, long polls and accepted events end properly', async (t) => {
  t.timeout(900_000);
  const system = await startSystem(t, { workers: 0, env: { SHUTDOWN_GRACE_SECONDS: '600' } });
  const { api, apiUrls, apis, tenant, db } = system;
  const channel = await system.channel();
  const made = await api.call(`POST /channels/${channel.publicId}/listeners`, { label: 'mine' });
  const reading = api.call(
    `GET /channels/${channel.publicId}/listeners/${made.body.listenerId}/deliveries?waitSeconds=25`,
  );
  // The stream's queries would hide it.
  await untilReaderWaits(db);
  const stream = await openEventStream(t, `${apiUrls[0]}/deliveries/stream?scope=channel:${channel.publicId}`, {
    authorization: `Bearer ${tenant.apiKey}`,
    'x-workspace-id': tenant.workspace.publicId,
  });
  const { unlock, sending } = await blockedEvent(t, { ...system, resourceId: channel.resourceId });

  const ended = apis[0]!.stop();
  const closed = await stream.next(({ event }) => event === 'closed');
  const read = await reading;
  await unlock();

  t.like(closed?.data, { reason: 'server_stopping' });
  t.like(read, { status: 200, body: { deliveries: [] } });
  t.is((await sending).status, 200);
  t.deepEqual(await ended, { code: 0, signal: null });
  t.is((await db('events').where({ channel_id: channel.id })).length, 1);
});

test('a stop waits for neither hanging commits nor last writes without end', async (t) => {
  t.timeout(900_000);
  const system = await startSystem(t, { workers: 0, env: { SHUTDOWN_GRACE_SECONDS: '6' } });
  await hangingCommit(t, system);
  await lastWrites(t, system);
});

async function hangingCommit(t: ExecutionContext, system: System): Promise<void> {
  const { apis, db } = system;
  const channel = await system.channel();
  const startedAtMs = performance.now();
  const { unlock, sending, send } = await blockedEvent(t, { ...system, resourceId: channel.resourceId });

  const ended = apis[0]!.stop();
  const refused = await sending.catch(() => undefined);
  const isBusy = performance.now() - startedAtMs > BUSY_MS;
  await unlock();
  await ended;
  await apis[0]!.start();

  if (!isBusy) {
    t.is(refused?.status, 503);
    t.truthy(refused?.headers.get('retry-after'));
    t.like(await refused?.json(), { code: 'SERVICE_UNAVAILABLE' });
  }
  t.is((await send()).status, 200);
  t.is((await db('events').where({ channel_id: channel.id })).length, 1);
}

async function lastWrites(t: ExecutionContext, system: System): Promise<void> {
  const { api, apis, db } = system;
  const channel = await system.channel();
  t.is((await api.call(`GET /platform/channels/${channel.publicId}`)).status, 200);
  const lock = await db.transaction();
  t.teardown(() => lock.rollback().catch(() => undefined));
  await lock.raw('lock table api_keys in access exclusive mode');

  t.deepEqual(await apis[0]!.stop(), { code: 1, signal: null });
}

test('an upload that still arrives is refused and has no effect', async (t) => {
  t.timeout(900_000);
  const stage = await stopStage(t, { SHUTDOWN_GRACE_SECONDS: '20' });
  const { apiUrls, apis, gatewayUrls, gateways, tenant, channels, tokens } = stage;
  const uploads = await Promise.all(
    [
      [apiUrls[0]!, `/channels/${channels.chatapp.publicId}/chatapp/media`, tenant.apiKey, 'image/png'] as const,
      [
        gatewayUrls[0]!,
        `/platform/v22.0/${channels.chatapp.resourceId}/messages`,
        tokens.chatapp,
        'application/json',
      ] as const,
    ].map(async ([url, path, token, type]) => {
      const connection = await rawConnection(t, url);
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}`;
      connection.write(`${head}\r\nContent-Length: 1000000\r\n\r\n{`);
      return connection;
    }),
  );
  const ended = Promise.all([apis[0]!.stop(), gateways[0]!.stop()]);
  const answers = await Promise.all(uploads.map((upload) => upload.ended()));

  for (const text of answers) t.regex(text, /^HTTP\/1\.1 503 [^]*retry-after: [^]*Nothing was done/i);
  await ended;
  t.is(callCounts(stage)['upload'] ?? 0, 0);
});

test('readiness ends first, and a second signal ends the process', async (t) => {
  t.timeout(900_000);
  const stage = await stopStage(t, { SHUTDOWN_DELAY_SECONDS: '300' });
  const { api, apis, apiUrls, gateways, gatewayUrls, channels } = stage;
  const readiness = async (url: string | undefined) => (await fetch(`${url}/readyz`)).status;
  t.deepEqual([await readiness(apiUrls[0]), await readiness(gatewayUrls[0])], [200, 200]);

  const ends = Promise.all([apis[0]!.stop(), gateways[0]!.stop()]);
  await until(async () => (await readiness(apiUrls[0])) === 503 && (await readiness(gatewayUrls[0])) === 503, {
    for: 'The end of the readiness',
  });
  t.is((await api.call(`GET /platform/channels/${channels.chatapp.publicId}`)).status, 200);
  void apis[0]!.stop();
  void gateways[0]!.stop();

  t.deepEqual(await ends, [
    { code: 143, signal: null },
    { code: 143, signal: null },
  ]);
});

interface BlockedEvent extends System {
  readonly resourceId: string;
}

/** Sends an event whose commit waits for a lock of the test. */
async function blockedEvent(t: ExecutionContext, { db, apiUrls, platformSecret, resourceId }: BlockedEvent) {
  const body = messageBytes({ resourceId, id: 'wamid.stop', from: '15550000001' });
  const headers = {
    'content-type': 'application/json',
    'x-hub-signature-256': signWebhook(body, platformSecret),
  };
  const send = () => fetch(`${apiUrls[0]}/platform/webhooks`, { method: 'POST', headers, body: new Uint8Array(body) });
  const lock = await db.transaction();
  t.teardown(() => lock.rollback().catch(() => undefined));
  await lock.raw('lock table events in access exclusive mode');
  const sending = send();
  await untilSession(db, `application_name = 'service-accept' and wait_event_type = 'Lock'`);
  return { sending, send, unlock: async () => void (await lock.rollback()) };
}
