import test from 'ava';
import type { RetentionTask } from '../../../contract/upkeep/retention.ts';
import { cutoffOf } from '../../../db/upkeep/expiries.ts';
import { removeAllExpired } from '../../harness/database/remove-expired.ts';
import { keyOf } from '../../harness/deliveries/hot-ledger.ts';
import { aLedgerDelivery } from '../../harness/deliveries/ledger.ts';
import { replayStage } from '../../harness/replays/replays.ts';

const DAY_MS = 86_400_000;
const cutoff = new Date(Date.now() - 30 * DAY_MS);
const oldAt = new Date(Date.now() - 31 * DAY_MS);
const youngAt = new Date(Date.now() - 29 * DAY_MS);

async function insertOneOfEach(
  { db, channel, destinationId, userId, linkId }: OneOfEach,
  [name, created_at]: readonly [string, Date],
): Promise<void> {
  await db('unrouted_events').insert({
    type: '',
    resource_id: '',
    key: keyOf(name),
    body: Buffer.from(''),
    created_at,
  });
  await db('test_events').insert({ channel_id: channel.id, destination_id: destinationId, event_type: 'x', url: 'u', body: Buffer.from(''), created_at }); // prettier-ignore
  const candidate = { channel_id: channel.id, url: 'u', verify_token_encrypted: '', revision: 1, created_at };
  await db('webhook_candidates').insert({ ...candidate, deadline_at: created_at, status: 'failed' });
  await db('email_registrations').insert({ public_id: `reg_0000${name.padStart(5, '0').slice(-4)}`, purpose: 'sign_in', email: 'a@b', client_hash: bytes('c'), expires_at: created_at, created_at }); // prettier-ignore
  await db('sessions').insert({ user_id: userId, token_hash: bytes(`s${name}`), expires_at: created_at, created_at });
  for (const status of ['refused', 'connected']) {
    await db('onboarding_attempts').insert({ onboarding_link_id: linkId, state_hash: bytes(status + name), browser_hash: bytes('b'), status, expires_at: created_at, created_at }); // prettier-ignore
  }
  await db('invariant_runs').insert({ started_at: created_at, ended_at: created_at, event_count: 0, delivery_count: 0, violations: {}, created_at }); // prettier-ignore
  const dest = { channel_id: channel.id, url: 'u', created_at, updated_at: created_at };
  await db('destinations').insert({ ...dest, type: 'webhook', kept_for: destinationId });
  await db('destinations').insert({ ...dest, type: 'subscription', event_types: ['x'], deleted_at: created_at });
}

type OneOfEach = Pick<Awaited<ReturnType<typeof replayStage>>, 'db' | 'channel' | 'destinationId'> & {
  readonly userId: number;
  readonly linkId: number;
};

const bytes = (text: string) => Buffer.from(keyOf(text), 'utf8');

test('other rows are deleted only if they ended long ago', async (t) => {
  const { db, channel, destinationId, tenant } = await replayStage(t);
  const at = { old: oldAt, young: youngAt };
  const userId = tenant.user.id;
  const link = await db('onboarding_links').insert({
    public_id: 'ol_00000001', organization_id: tenant.organization.id, label: 'L', channel_type: 'chatapp',
    token_hash: bytes('link'), token_encrypted: '', created_by: userId }).returning('id'); // prettier-ignore
  for (const age of Object.entries(at)) {
    await insertOneOfEach({ db, channel, destinationId, userId, linkId: link[0].id }, age);
  }
  await db('sessions').insert({ user_id: userId, token_hash: bytes('live'), expires_at: new Date(Date.now() + DAY_MS), created_at: oldAt }); // prettier-ignore
  await db('webhook_candidates').where({ status: 'committed' }).delete();
  const [waitedFor] = await db('destinations').insert({ channel_id: channel.id, type: 'webhook', url: 'u', kept_for: destinationId, created_at: oldAt, updated_at: oldAt }).returning('id'); // prettier-ignore
  await aLedgerDelivery(db, channel, { destinationId: waitedFor.id, createdAt: oldAt });
  await db('destinations').where({ id: destinationId }).update({ created_at: oldAt });
  const counts: Partial<Record<RetentionTask, number>> = {
    unrouted_events: 1, test_events: 1, webhook_candidates: 1, email_registrations: 1, sessions: 1,
    onboarding_attempts: 1, invariant_runs: 1, destinations: 2,
  }; // prettier-ignore
  for (const [task, count] of Object.entries(counts) as [RetentionTask, number][]) {
    t.is(await removeAllExpired(db, task, { cutoff }), count, task);
    t.is(await removeAllExpired(db, task, { cutoff }), 0, `${task} once more`);
  }
});

test('replays that ended long ago are deleted after their items', async (t) => {
  const { db, sources, plannedReplay } = await replayStage(t);
  await sources(3);
  const ended = { status: 'cancelled', ended_at: oldAt, run_ended_at: oldAt, created_at: oldAt };
  await db('replays')
    .where({ public_id: await plannedReplay() })
    .update(ended);
  await plannedReplay();
  t.is(await removeAllExpired(db, 'replays', { cutoff }), 0);
  t.is(await removeAllExpired(db, 'replay_items', { cutoff }), 3);
  t.is(await removeAllExpired(db, 'replays', { cutoff }), 1);
  t.is((await db('replay_items')).length, 3);
});

test('recorded calls are deleted by their age alone', async (t) => {
  const { db } = await replayStage(t);
  for (const table of ['idempotent_calls', 'outbound_calls'] as const) {
    await db.raw('drop table ?? cascade', [table]);
    await db.raw('create table ?? (id bigint generated always as identity, created_at timestamptz)', [table]);
    await db.raw('grant select, delete on ?? to public', [table]);
    await db(table).insert([{ created_at: oldAt }, { created_at: youngAt }]);
    t.is(await removeAllExpired(db, table, { cutoff }), 1);
    t.is((await db(table)).length, 1);
  }
});

test('each kind of data is kept for its own time', (t) => {
  const settings = { retentionDays: 30, eventKeyDays: 9, auditDays: 400, usageMonths: 25 };
  const now = new Date('2026-03-31T12:00:00Z');
  const days = (task: RetentionTask) => (now.getTime() - cutoffOf(task, settings, now).getTime()) / DAY_MS;
  t.deepEqual(
    (['sessions', 'event_keys', 'audit_entries', 'portal_links', 'alerts', 'unread_listeners'] as const).map(days),
    [30, 9, 400, 7, 90, 7],
  );
  t.is(cutoffOf('usage_days', settings, new Date('2026-03-15T12:00:00Z')).toISOString(), '2024-02-15T12:00:00.000Z');
});
