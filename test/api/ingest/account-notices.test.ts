import test, { type ExecutionContext } from 'ava';
import type { Started } from '../../../workflow-starts/start-and-await.ts';
import { createApiShares } from '../../../api/requests/api-shares.ts';
import { createPlatformEvents } from '../../../api/ingest/platform-events.ts';
import { chatappMessage, chatappOther } from '../../../simulator/webhooks/chatapp.ts';
import { encodeWebhook, envelope } from '../../../simulator/webhooks/envelope.ts';
import { controlEvent, eventItems } from '../../../simulator/webhooks/events.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { aWebhookDestination, deliveryRows, hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { eventually } from '../../harness/eventually.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';
import { keysOf } from '../../harness/envelope/split-items.ts';

const ACCOUNT = '4000';
const atMs = 1_700_000_000_000;

type Checked = Started<'checked'>;
const checked: Checked = { state: 'ended', result: 'checked' };

/** Two numbers of one account in workspaces of two organizations, and a number of another account. */
async function accountOf(t: ExecutionContext, check: () => Promise<Checked> = () => Promise.resolve(checked)) {
  const shares = createApiShares();
  const ledger = await hotLedger(t);
  const { db, channel, pool } = ledger;
  const other = await aTenant(db);
  const second = await aChannel(db, other.workspace, { resourceId: 'res-2' });
  const foreign = await aChannel(db, other.workspace, { resourceId: 'res-3' });
  const accounts = [
    [channel, ACCOUNT],
    [second, ACCOUNT],
    [foreign, '4001'],
  ] as const;
  for (const [{ id }, businessAccountId] of accounts) {
    await db('channel_health').where({ channel_id: id }).update({ business_account_id: businessAccountId });
    await db('channel_health').where({ channel_id: id }).update({ next_check_at: 'infinity' });
    await aWebhookDestination(ledger, { id, publicId: 'unused' });
  }
  const started: string[] = [];
  const events = createPlatformEvents({
    pool,
    log: rememberingLog(),
    checks: {
      shares,
      starts: {
        checkHealth({ channelId }) {
          started.push(channelId);
          return check();
        },
      },
    },
  });
  const stored = async () => {
    const { rows } = await pool.query<{ channel_id: number; event_type: string; body: Buffer }>(
      'select channel_id, event_type, body from events order by channel_id, id',
    );
    return rows;
  };
  const dueIds = () => db('channel_health').where('next_check_at', '<=', db.fn.now()).pluck('channel_id').orderBy(1);
  return { ...ledger, ...events, shares, second, foreign, started, stored, dueIds };
}

const notice = (field: string, value: object, at = atMs) =>
  chatappOther({ phoneNumberId: 'unused', accountId: ACCOUNT, field, value: { ...value }, atMs: at });
const bytesOf = (...items: Parameters<typeof envelope>[0]['items']) =>
  encodeWebhook(envelope({ items, realWords: true }));
const approved = { event: 'APPROVED', message_template_id: 7, message_template_name: 'hello' };

test('a notice about an account goes to each of its numbers', async (t) => {
  const { accept, stored, channel, second, pool, started } = await accountOf(t);
  const body = bytesOf(notice('message_template_status_update', approved));
  for (const again of [body, body]) t.is(await accept(again), 'accepted');
  const rows = await stored();
  t.deepEqual(
    fieldsOf(rows, 'channel_id', 'event_type'),
    [channel, second].map(({ id }) => [id, 'chatapp.other.received']),
  );
  t.true(rows.every((row) => row.body.equals(body)));
  t.is((await deliveryRows(pool)).length, 2);
  t.deepEqual(started, []);
});

test('a state that comes back is delivered again', async (t) => {
  const { accept, stored } = await accountOf(t);
  const events = ['APPROVED', 'PAUSED', 'APPROVED'];
  for (const [at, event] of events.entries()) {
    await accept(bytesOf(notice('message_template_status_update', { ...approved, event }, atMs + at * 1000)));
  }
  t.is((await stored()).length, 6);
});

for (const [field, value] of [
  ['account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } }],
  ['account_update', { event: 'ACCOUNT_DELETED' }],
  ['account_update', { event: 'PARTNER_REMOVED', waba_info: { waba_id: ACCOUNT, owner_business_id: '9' } }],
  ['account_review_update', { decision: 'REJECTED' }],
] as const) {
  test(`a health check starts after ${field} ${JSON.stringify(value)}`, async (t) => {
    const { accept, idle, stored, channel, second, started, dueIds } = await accountOf(t);
    await accept(bytesOf(notice(field, value)));
    await idle();
    t.is((await stored()).length, 2);
    t.deepEqual(started, [channel.publicId, second.publicId]);
    t.deepEqual(await dueIds(), [channel.id, second.id]);
  });
}

test('a notice about a partner names the account in its value', async (t) => {
  const { accept, stored, foreign } = await accountOf(t);
  const value = { event: 'PARTNER_APP_UNINSTALLED', waba_info: { waba_id: '4001', owner_business_id: '9' } };
  await accept(bytesOf(notice('account_update', value)));
  t.deepEqual(fieldsOf(await stored(), 'channel_id'), [foreign.id]);
});

test('a notice about an unknown account is kept for staff', async (t) => {
  const { accept, stored, db } = await accountOf(t);
  await db('channels').update({ disconnected_at: db.fn.now() });
  await accept(bytesOf(notice('account_update', { event: 'ACCOUNT_DELETED' })));
  t.is((await stored()).length, 0);
  t.is((await db('unrouted_events')).length, 1);
});

test('a notice in a batch reaches all numbers without the other items', async (t) => {
  const { accept, stored, channel, second } = await accountOf(t);
  const message = chatappMessage({ phoneNumberId: 'res-1', accountId: ACCOUNT, id: 'wamid.1', from: '49', atMs });
  await accept(bytesOf(message, notice('phone_number_quality_update', { event: 'FLAGGED', current_limit: 'TIER_1K' })));
  const rows = await stored();
  t.deepEqual(fieldsOf(rows, 'channel_id', 'event_type'), [
    [channel.id, 'chatapp.message.received'],
    [channel.id, 'chatapp.other.received'],
    [second.id, 'chatapp.other.received'],
  ]);
  for (const { event_type, body } of rows) {
    t.is(body.includes('wamid.1'), event_type === 'chatapp.message.received');
    t.is(body.includes('FLAGGED'), event_type === 'chatapp.other.received');
  }
});

test('an item that names a number is no notice, even without items', async (t) => {
  const { accept, stored, db } = await accountOf(t);
  const metadata = { phone_number_id: 'unknown' };
  await accept(bytesOf(notice('never_seen', { metadata, n: 1 }), notice('messages', { errors: [{ code: 1 }] })));
  t.is((await stored()).length, 0);
  t.is((await db('unrouted_events')).length, 2);
});

test('a notice about many numbers checks few at a time', async (t) => {
  const hanging = Promise.withResolvers<Checked>();
  const { accept, idle, db, tenant, started, dueIds, shares } = await accountOf(t, () => hanging.promise);
  for (let number = 0; number < 20; number++) {
    const { id } = await aChannel(db, tenant.workspace, { resourceId: `many-${number}` });
    await db('channel_health').where({ channel_id: id }).update({ business_account_id: ACCOUNT });
  }
  await accept(bytesOf(notice('account_update', { event: 'ACCOUNT_DELETED' })));
  await eventually(() => started.length > 0);
  t.true(shares.interactive.count() <= 4, 'each holds a slot of its organization');
  shares.interactive.close();
  hanging.resolve(checked);
  await idle();
  t.is(started.length, 4, 'without a slot, the rest is left to the schedule');
  t.is((await dueIds()).length, 22);
});

test('an unreachable Temporal leaves the checks due', async (t) => {
  const { pool, dueIds, channel, second } = await accountOf(t);
  const log = rememberingLog();
  const checkHealth = () => Promise.reject(new Error('unreachable'));
  const checks = { starts: { checkHealth }, shares: createApiShares() };
  const { accept, idle } = createPlatformEvents({ pool, log, checks });
  await accept(bytesOf(notice('account_update', { event: 'ACCOUNT_DELETED' })));
  await idle();
  t.deepEqual(await dueIds(), [channel.id, second.id]);
  t.true(log.lines.some(({ event }) => event === 'channelHealth.startFailed'));
});

test('the simulator sends notices with a time and no number', (t) => {
  const event = controlEvent.parse({ product: 'chatapp', kind: 'account_update', resourceId: 'res-1' });
  const [first, second] = [atMs, atMs + 1000].flatMap((nowMs) =>
    eventItems(event, { nowMs, businessOf: () => ACCOUNT }),
  );
  const [{ id, time, changes }] = envelope({ items: [first!] }).entry as [Record<string, unknown>];
  t.deepEqual([id, time], [ACCOUNT, atMs / 1000]);
  t.false(JSON.stringify(changes).includes('metadata'));
  t.not(keysOf(envelope({ items: [first!] }))[0], keysOf(envelope({ items: [second!] }))[0]);
});
