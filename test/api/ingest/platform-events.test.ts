import { createHash } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { createPlatformEvents } from '../../../api/ingest/platform-events.ts';
import { upstreamObjects } from '../../../platform/webhooks/wire.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { chatChange, chatEnvelope } from '../../harness/envelope/split-items.ts';
import {
  aWebhookDestination,
  deliveryRows,
  hotLedger,
  untilBlockedByLock,
} from '../../harness/deliveries/hot-ledger.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

async function ingestFor(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  await aWebhookDestination(ledger, ledger.channel);
  const log = rememberingLog();
  const events = createPlatformEvents({ pool: ledger.pool, log });
  const stored = async () => {
    const { rows } = await ledger.pool.query<{ body: Buffer; conversation_key: number; sender: string | null }>(
      'select body, conversation_key, sender from events order by id',
    );
    return rows;
  };
  return { ...ledger, ...events, log, stored };
}

const bytesOf = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const message = (id: string, from = '4915') => ({ id, from, timestamp: '1', type: 'text', text: { body: 'hi' } });
const messages = (...list: object[]) => chatEnvelope(chatChange('res-1', { messages: list }));
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('a request of one item is stored byte for byte', async (t) => {
  const { accept, stored } = await ingestFor(t);
  const odd =
    '{ "object" : "chatapp",\r\n"entry":[{"id":"a","changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"res-1"},' +
    '"messages":[{"id":"m1","id":"m2","from":"49","n":12345678901234567890,"x":1.0e+2,"text":{"body":"👋🏽 \\ud83d\\ude00 \\u0000 \\/"}}]}}]}]}\n';
  t.is(await accept(bytesOf(odd)), 'accepted');
  const [row] = await stored();
  t.is(sha256(row!.body), sha256(bytesOf(odd)));
});

test("envelopes name their product by the neutral or the platform's word", async (t) => {
  const named = (object: string, id: string): Buffer => bytesOf({ ...messages(message(id)), object });
  const { accept, stored } = await ingestFor(t);
  for (const [at, word] of ['chatapp', ...upstreamObjects.chatapp].entries()) await accept(named(word, `m${at}`));
  await accept(named('other', 'unknown'));
  t.is((await stored()).length, 2);
});

test('a batch becomes one event per item, in order, in one commit', async (t) => {
  const { accept, stored, log } = await ingestFor(t);
  await accept(bytesOf(messages(message('a'), message('b', '4916'), message('c'))));
  const rows = await stored();
  t.deepEqual(fieldsOf(rows, 'sender'), ['4915', '4916', '4915']);
  t.is(rows[0]!.conversation_key, rows[2]!.conversation_key);
  t.not(rows[0]!.conversation_key, rows[1]!.conversation_key);
  t.is(log.lines.filter(({ event }) => event === 'events.accepted').length, 1);
});

test('the same item in different requests is one event', async (t) => {
  const { accept, stored } = await ingestFor(t);
  await Promise.all([accept(bytesOf(messages(message('a')))), accept(bytesOf(messages(message('a'))))]);
  await accept(bytesOf(messages(message('a'), message('b'))));
  const { entry } = messages(message('a')) as { entry: object[] };
  await accept(bytesOf({ sentAt: 7, entry, object: 'chatapp' }));
  t.is((await stored()).length, 2);
});

test('a change that is taken back and made again is three events', async (t) => {
  const { accept, stored, db, channel } = await ingestFor(t);
  await db('channels').where({ id: channel.id }).update({ type: 'pageapp' });
  const named = (name: string, time: number) => {
    const change = { field: 'name', value: name };
    return bytesOf({ object: 'page', entry: [{ id: 'res-1', time, changes: [change] }] });
  };
  const inTurn = [named('A', 1), named('B', 2), named('A', 3)];
  for (const body of [...inTurn, ...inTurn]) await accept(body);
  t.is((await stored()).length, 3);
  const batch = ['A', 'B', 'A'].map((value) => ({ field: 'about', value }));
  const body = bytesOf({ object: 'page', entry: [{ id: 'res-1', time: 4, changes: batch }] });
  for (const again of [body, body]) await accept(again);
  t.is((await stored()).length, 6);
});

test('an item without an id is deduplicated by its bytes', async (t) => {
  const { accept, stored } = await ingestFor(t);
  const other = (n: number) => chatEnvelope(chatChange('res-1', { something: { n } }));
  for (const n of [1, 1, 2]) await accept(bytesOf(other(n)));
  t.is((await stored()).length, 2);
});

test('malformed JSON is refused and nothing is stored', async (t) => {
  const { accept, pool } = await ingestFor(t);
  for (const body of ['', '{', 'null null', '{"a":"\xff"}']) {
    t.is(await accept(Buffer.from(body, 'latin1')), 'malformed', body);
  }
  t.deepEqual(await deliveryRows(pool), []);
});

test('items with unstorable characters in ids are accepted and stored', async (t) => {
  const { accept, stored } = await ingestFor(t);
  const odd = JSON.stringify(messages(message('a', 'nul'), message('b', 'lone'))).replace('"nul"', '"4\\u00005"');
  t.is(await accept(bytesOf(odd.replace('"lone"', '"4\\ud8005"'))), 'accepted');
  t.is(await accept(bytesOf(JSON.stringify(messages(message('nul'))).replace('"nul"', '"c\\u0000"'))), 'accepted');
  t.is((await stored()).length, 3);
});

test('an item whose ids contain U+0000 keeps its bytes and delivery', async (t) => {
  const { accept, pool, stored } = await ingestFor(t);
  const body = bytesOf(JSON.stringify(messages(message('MID', 'FROM'))).replace(/MID|FROM/g, '$&\\u0000'));
  t.is(await accept(body), 'accepted');
  const [row] = await stored();
  t.is(sha256(row!.body), sha256(body));
  t.is(row!.sender, null);
  t.is((await deliveryRows(pool))[0]!.status, 'pending');
});

test('items without a known channel are stored for staff and logged', async (t) => {
  const { accept, log, pool } = await ingestFor(t);
  await accept(bytesOf(chatEnvelope(chatChange('nobody', { messages: [message('a')] }))));
  await accept(bytesOf({ object: 'unknown' }));
  const { rows } = await pool.query('select type, resource_id from unrouted_events order by id');
  t.deepEqual(rows, [
    { type: 'chatapp', resource_id: 'nobody' },
    { type: '', resource_id: '' },
  ]);
  t.is(log.lines.filter(({ event }) => event === 'events.unrouted').length, 2);
});

test('a request refused by an unavailable database succeeds on retry', async (t) => {
  const { accept, stored, db, anotherPool } = await ingestFor(t);
  const client = anotherPool(1);
  await client.query('begin');
  await client.query('lock table events');
  const refused = t.throwsAsync(accept(bytesOf(messages(message('a')))));
  await untilBlockedByLock(db);
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  await client.query('rollback');
  await refused;
  t.is(await accept(bytesOf(messages(message('a')))), 'accepted');
  t.is((await stored()).length, 1);
});

test('idle waits for the running commit', async (t) => {
  const { accept, idle, stored } = await ingestFor(t);
  void accept(bytesOf(messages(message('a'))));
  await idle();
  t.is((await stored()).length, 1);
});
