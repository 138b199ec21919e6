import { createHmac } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { createPlatformEvents } from '../../../api/ingest/platform-events.ts';
import { createHotPool } from '../../../db/core/hot-pool.ts';
import { createApiMeter } from '../../../metrics/api-metrics.ts';
import { chatChange, chatEnvelope } from '../../harness/envelope/split-items.ts';
import { testApi } from '../../harness/api/api.ts';
import { connectPatiently } from '../../harness/database/connect-patiently.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aTenant } from '../../harness/tenants.ts';

const nowhere = 'postgres://nobody@127.0.0.1:1/none';
const readOnly = (url: string): string => `${url}?options=-c%20default_transaction_read_only%3Don`;
const appSecret = 'app secret';

function databaseAt(t: ExecutionContext, url: string) {
  const db = connectPatiently({ url, applicationName: 'test' });
  t.teardown(() => db.destroy());
  return db;
}

async function ingestAt(t: ExecutionContext, url: string) {
  const pool = createHotPool({ url, applicationName: 'test', connections: 2, onError: () => undefined });
  t.teardown(() => pool.end());
  const log = rememberingLog();
  const events = createPlatformEvents({ pool, log, meter: createApiMeter() });
  const api = await testApi(t, { ingest: { events, appSecrets: [appSecret], verifyToken: 'token' }, log });
  const message = { id: 'm1', from: '4915', timestamp: '1', type: 'text', text: { body: 'hi' } };
  const body = JSON.stringify(chatEnvelope(chatChange('res-1', { messages: [message] })));
  const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
  return { ...api, log, send: { body, headers: { 'x-hub-signature-256': signature } } };
}

for (const [name, urlOf] of Object.entries({ unreachable: () => nowhere, 'read-only': readOnly })) {
  test(`an ingest is refused with Retry-After while the database is ${name}`, async (t) => {
    const { url } = await testDatabase(t);
    const { refused, send, log } = await ingestAt(t, urlOf(url));
    const { status, headers, body } = await refused('SERVICE_UNAVAILABLE', 'POST /platform/webhooks', send);
    t.is(status, 503);
    t.true(Number(headers.get('retry-after')) > 0);
    t.deepEqual(Object.keys(body), ['statusCode', 'code', 'message', 'requestId']);
    t.notRegex(body.message, /127[.]0|ECONN|transaction|select/);
    t.true(
      log.lines.some(({ event }) => event === 'request.failed'),
      'the reason is in the log',
    );
  });
}

test('an internal ingest error is answered as INTERNAL', async (t) => {
  const { url, db } = await testDatabase(t);
  await db.schema.dropTable('event_keys');
  const { refused, send } = await ingestAt(t, url);
  await refused('INTERNAL', 'POST /platform/webhooks', send);
});

test('the API reports an unreachable database with Retry-After', async (t) => {
  const { refused } = await testApi(t, { db: databaseAt(t, nowhere) });
  const { status, headers } = await refused('SERVICE_UNAVAILABLE', 'GET /deliveries', { key: 'hmok_x' });
  t.is(status, 503);
  t.true(Number(headers.get('retry-after')) > 0);
});

test('the API serves reads while the database is read-only', async (t) => {
  const { db, url } = await testDatabase(t);
  const { apiKey: key, organization } = await aTenant(db);
  const { call, refused } = await testApi(t, { db: databaseAt(t, readOnly(url)) });
  const list = `/organizations/${organization.publicId}/workspaces`;
  t.is((await call(`GET ${list}`, { key })).status, 200);
  const body = { name: 'Another', kind: 'team' };
  await refused('SERVICE_UNAVAILABLE', `POST ${list}`, { key, body });
  t.is((await call(`GET ${list}`, { key })).status, 200);
});

test('a connect page explains a database outage in HTML', async (t) => {
  const { url } = await testApi(t, { db: databaseAt(t, nowhere) });
  const answer = await fetch(`${url}/connect/${'x'.repeat(43)}`);
  t.is(answer.status, 503);
  t.truthy(answer.headers.get('retry-after'));
  t.regex(await answer.text(), /Temporarily unavailable/);
});
