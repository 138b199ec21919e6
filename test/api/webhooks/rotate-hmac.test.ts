import test, { type ExecutionContext } from 'ava';
import { deliveryHeaders } from '../../../contract/deliveries/signature.ts';
import { validSecretsSql } from '../../../db/ledger/destinations/delivery-sql.ts';
import { createOpenSecret, hmacSha256 } from '../../../activities/signing/open-secret.ts';
import { channelStage } from '../../harness/api/stages.ts';
import { testSecretBox } from '../../harness/tenants.ts';
import { isWaitedFor } from '../../harness/time/waits.ts';

async function withChannel(t: ExecutionContext) {
  const api = await channelStage(t);
  const { at, channel } = api;
  const route = `/webhook-config/${channel.publicId}`;
  const rotate = async (body?: object, idempotencyKey?: string) => {
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const answer = await api.call(`POST ${route}/rotate-hmac`, { ...at, headers, ...(body && { body }) });
    t.is(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const current = async (): Promise<string> => (await api.call(`GET ${route}/hmac`, at)).body.hmacSecret;
  const signing = async (): Promise<string[]> => {
    const sql = `select ${validSecretsSql} as sealed from channels c where c.id = ?`;
    const { rows } = await api.db.raw(sql, [channel.id]);
    return rows[0].sealed.map((sealed: string) =>
      testSecretBox.open(sealed, `webhook_secrets.secret/${channel.publicId}`),
    );
  };
  return { ...api, route, rotate, current, signing };
}

test('a rotation without an overlap ends the old secret immediately', async (t) => {
  const { rotate, current, signing, channel } = await withChannel(t);
  const old = await current();
  const rotated = await rotate();
  t.like(rotated, { channelId: channel.publicId, previousSecretExpiresAt: null });
  t.not(rotated.hmacSecret, old);
  t.is(await current(), rotated.hmacSecret);
  t.deepEqual(await signing(), [rotated.hmacSecret]);
});

test('both secrets sign during an overlap, newest first', async (t) => {
  const { rotate, current, signing, db } = await withChannel(t);
  const old = await current();
  const sinceMs = Date.now();
  const { hmacSecret, previousSecretExpiresAt } = await rotate({ overlapSeconds: 3_600 });
  isWaitedFor(t, previousSecretExpiresAt, { waitMs: 3_600_000, sinceMs });
  t.deepEqual(await signing(), [hmacSecret, old]);
  const expireIn = (ms: number) => db('webhook_secrets').whereNotNull('expires_at').update({ expires_at: new Date(Date.now() + ms) }); // prettier-ignore
  await expireIn(60_000);
  t.deepEqual(await signing(), [hmacSecret, old], 'a minute before the end');
  await expireIn(-1_000);
  t.deepEqual(await signing(), [hmacSecret], 'a second after it');
});

test('delivery headers carry a signature of each secret during an overlap', async (t) => {
  const { rotate, current, signing, db, channel } = await withChannel(t);
  const old = await current();
  const { hmacSecret } = await rotate({ overlapSeconds: 60 });
  const { rows } = await db.raw(`select ${validSecretsSql} as sealed from channels c where c.id = ?`, [channel.id]);
  const open = createOpenSecret(testSecretBox);
  const headersWith = (sealed: readonly string[]) => {
    const secrets = sealed.map((one) => open(one, channel.publicId));
    const ids = { deliveryId: 'wd_00000001', eventId: 'evt_00000001', eventType: 'chatapp.message.received' };
    return deliveryHeaders({ ...ids, attempt: 1, atMs: 0, body: Buffer.from('{}'), secrets }, hmacSha256);
  };
  const [newest, older] = rows[0].sealed;
  const both = headersWith([newest, older]);
  const first = headersWith([newest]);
  const second = headersWith([older]);
  for (const [name, separator] of [['x-service-signature-256', ','], ['webhook-signature', ' ']] as const) {
    t.is(both[name], [first[name], second[name]].join(separator));
  } // prettier-ignore
  t.deepEqual(await signing(), [hmacSecret, old]);
});

test('a second rotation ends the older overlap immediately', async (t) => {
  const { rotate, signing } = await withChannel(t);
  const first = await rotate({ overlapSeconds: 3_600 });
  const second = await rotate({ overlapSeconds: 60 });
  t.deepEqual(await signing(), [second.hmacSecret, first.hmacSecret]);
  const third = await rotate({ overlapSeconds: 0 });
  t.deepEqual(await signing(), [third.hmacSecret]);
});

test('a repeat returns the same secret and refuses another overlap', async (t) => {
  const { rotate, refused, route, at, signing, db } = await withChannel(t);
  const first = await rotate({ overlapSeconds: 60 }, 'once');
  t.deepEqual(await rotate({ overlapSeconds: 60 }, 'once'), first);
  const headers = { 'idempotency-key': 'once' };
  await refused('IDEMPOTENCY_KEY_REUSED', `POST ${route}/rotate-hmac`, {
    ...at,
    headers,
    body: { overlapSeconds: 61 },
  });
  const later = await rotate({ overlapSeconds: 0 }, 'twice');
  t.deepEqual(await rotate({ overlapSeconds: 60 }, 'once'), first, 'even after a later rotation');
  t.deepEqual(await signing(), [later.hmacSecret]);
  const entries = await db('audit_entries').where({ action: 'webhookSecret.rotated' });
  t.is(entries.length, 2);
});

test('concurrent rotations with one key create one secret', async (t) => {
  const { rotate, db } = await withChannel(t);
  const same = await Promise.all([1, 2, 3, 4].map(() => rotate({ overlapSeconds: 60 }, 'at once')));
  t.is(new Set(same.map(({ hmacSecret }) => hmacSecret)).size, 1);
  const others = await Promise.all([1, 2, 3].map(() => rotate({ overlapSeconds: 60 })));
  t.is(new Set(others.map(({ hmacSecret }) => hmacSecret)).size, 3);
  t.is((await db('webhook_secrets').whereNull('expires_at')).length, 1);
});

test('an invalid overlap and an unprintable key are refused', async (t) => {
  const { refused, route, at } = await withChannel(t);
  for (const overlapSeconds of [-1, 604_801, 1.5, '60']) {
    await refused('VALIDATION_ERROR', `POST ${route}/rotate-hmac`, { ...at, body: { overlapSeconds } });
  }
  const headers = { 'idempotency-key': '' };
  await refused('VALIDATION_ERROR', `POST ${route}/rotate-hmac`, { ...at, headers });
});
