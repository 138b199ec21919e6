import test from 'ava';
import type { Knex } from 'knex';
import { tenantStage } from '../../harness/api/stages.ts';
import { testApi } from '../../harness/api/api.ts';
import { connectPatiently } from '../../harness/database/connect-patiently.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aStaffKey } from '../../harness/people/staff.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

async function seeded(db: Knex, status: 'pending' | 'delivered') {
  const tenant = await aTenant(db);
  const channel = await aChannel(db, tenant.workspace);
  const destinationId = await aWebhook(db, channel);
  const delivery = await aLedgerDelivery(db, channel, { destinationId, status });
  return { ...tenant, channel, delivery };
}

test('only lists, searches and statistics read from the read database', async (t) => {
  const replica = await testDatabase(t);
  const readDb = connectPatiently({ url: replica.url, applicationName: 'test-read', isReadOnly: true });
  t.teardown(() => readDb.destroy());
  const { db, call } = await testApi(t, { readDb });
  // The rows of both databases have the same numbers, but the replica is ahead in time.
  const here = await seeded(db, 'pending');
  await seeded(replica.db, 'delivered');
  const { token: staffKey } = await aStaffKey(db);
  let readCount = 0;
  readDb.on('query', () => readCount++);
  const access = { key: here.apiKey, workspace: here.workspace.publicId };
  const readsOf = async (route: string, as: { key: string; workspace?: string } = access): Promise<number> => {
    readCount = 0;
    t.is((await call(route, as)).status, 200, route);
    return readCount;
  };
  const channel = `/channels/${here.channel.publicId}`;

  for (const route of ['GET /deliveries', `GET ${channel}/statistics`, `GET ${channel}/outbound-calls`]) {
    t.true((await readsOf(route)) > 0, route);
  }
  const audit = `GET /organizations/${here.organization.publicId}/audit-entries`;
  t.true((await readsOf(audit, { key: here.apiKey })) > 0);
  for (const route of ['/staff/deliveries', '/staff/unrouted-events', '/staff/audit-entries']) {
    t.true((await readsOf(`GET ${route}?reason=Call`, { key: staffKey })) > 0, route);
  }
  const one = `GET /deliveries/${here.delivery.publicId}`;
  for (const route of [one, `GET /platform${channel}`, `GET ${channel}/destinations`, 'GET /platform/channels']) {
    t.is(await readsOf(route), 0, route);
  }

  t.is((await call('GET /deliveries', access)).body.deliveries[0].status, 'delivered');
  t.is((await call(one, access)).body.status, 'pending');
});

test('a read connection refuses writes', async (t) => {
  const { url } = await testDatabase(t);
  const readDb = connectPatiently({ url, applicationName: 'test-read', isReadOnly: true });
  t.teardown(() => readDb.destroy());
  await t.throwsAsync(async () => await readDb.raw('delete from channels'), { message: /read-only transaction/ });
});

test('a read that takes too long is refused with its code', async (t) => {
  const { url, db: held } = await testDatabase(t);
  const readDb = connectPatiently({ url, applicationName: 'test-read', isReadOnly: true });
  t.teardown(() => readDb.destroy());
  Object.assign(readDb.client.connectionSettings, { statement_timeout: 100 });
  const { call, at } = await tenantStage(t, { readDb });
  const lock = await held.transaction();
  t.teardown(() => lock.rollback());
  await lock.raw('lock table deliveries in access exclusive mode');

  const answer = await call('GET /deliveries', at);

  t.like(answer.body, { statusCode: 422, code: 'READ_TOO_SLOW' });
  t.is(answer.headers.get('retry-after'), null, 'a client would repeat it');
});
