import test, { type ExecutionContext } from 'ava';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { webhookStage } from '../../harness/api/stages.ts';
import { aLedgerDelivery } from '../../harness/deliveries/ledger.ts';

const wanted = { since: '2026-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z', statuses: ['exhausted'] };

async function stage(t: ExecutionContext) {
  const api = await webhookStage(t);
  const { key, channel, destinationId } = api;
  const exhausted = () => aLedgerDelivery(api.db, channel, { status: 'exhausted', destinationId });
  await exhausted();
  const body = { ...wanted, scope: `channel:${channel.publicId}` };
  const keyed = (idempotencyKey: string, others: object = {}) =>
    ({ key, headers: { 'idempotency-key': idempotencyKey }, body: { ...body, ...others } }) as const;
  const ask = (idempotencyKey: string, others?: object) => api.call('POST /replays', keyed(idempotencyKey, others));
  return { ...api, exhausted, ask, keyed };
}

test('a repeat returns the first replay and its original answer', async (t) => {
  const { db, ask, exhausted } = await stage(t);
  const first = await ask('one');
  t.is(first.body.matched, 1);
  await exhausted();
  const repeat = await ask('one');
  t.is(repeat.status, 202);
  t.deepEqual(repeat.body, first.body);
  t.is((await db('replays')).length, 1);
  t.is((await db('audit_entries').where({ action: 'replay.created' })).length, 1);
  t.not((await ask('two')).body.replayId, first.body.replayId);
});

test('the key of another replay is refused', async (t) => {
  const { db, ask, refused, keyed, workspace } = await stage(t);
  await ask('one');
  for (const other of [{ ratePerSecond: 7 }, { scope: `workspace:${workspace.publicId}` }, { statuses: ['skipped'] }]) {
    await refused('IDEMPOTENCY_KEY_REUSED', 'POST /replays', keyed('one', other));
  }
  t.is((await db('replays')).length, 1);
});

test('a key used before a move is refused in another workspace', async (t) => {
  const { db, ask, refused, keyed, workspace, channel } = await stage(t);
  await ask('one');
  const target = await insertWorkspace(db, {
    organizationId: workspace.organizationId,
    name: 'Shop',
    kind: 'customer',
  });
  await db('channels').where({ id: channel.id }).update({ workspace_id: target.id });
  await refused('IDEMPOTENCY_KEY_REUSED', 'POST /replays', keyed('one'));
});

test('concurrent requests with one key create one replay', async (t) => {
  const { db, ask } = await stage(t);
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask('one')));
  t.is(new Set(answers.map(({ body }) => body.replayId)).size, 1);
  t.is((await db('replays')).length, 1);
});

test('a dry run ignores the idempotency key', async (t) => {
  const { ask } = await stage(t);
  t.deepEqual((await ask('one', { dryRun: true })).body, {
    replayId: null,
    matched: 1,
    isCountComplete: true,
    ratePerSecond: 50,
    unverifiedDestinations: 0,
  });
  const { replayId } = (await ask('one')).body;
  t.regex(replayId, /^rpl_/);
  t.deepEqual((await ask('one', { dryRun: true })).body, {
    replayId: null,
    matched: 1,
    isCountComplete: true,
    ratePerSecond: 50,
    unverifiedDestinations: 0,
  });
});

test('the replays table does not contain the key itself', async (t) => {
  const { db, ask } = await stage(t);
  await ask('a-key-of-the-caller');
  t.false(JSON.stringify(await db('replays')).includes('a-key-of-the-caller'));
});
