import test, { type ExecutionContext } from 'ava';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import type { ReplayStart } from '../../../contract/replays/replay.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { webhookStage } from '../../harness/api/stages.ts';
import { aLedgerDelivery } from '../../harness/deliveries/ledger.ts';
import { aStaffKey } from '../../harness/people/staff.ts';

const wanted = { since: '2026-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z', statuses: ['exhausted'] };
const reason = 'Ticket 812: receiver was down';

async function stage(t: ExecutionContext) {
  const signals: ReplayStart[] = [];
  const temporal: Partial<WorkflowStarts> = {
    signalReplay: (replay) => {
      signals.push(replay);
      return Promise.resolve({ state: 'ended', result: 'signalled' });
    },
  };
  const ui = { temporalUiUrl: 'https://temporal.example.com', temporalNamespace: 'messaging' };
  const api = await webhookStage(t, { starts: temporal, ...ui });
  const { channel, destinationId } = api;
  await aLedgerDelivery(api.db, channel, { status: 'exhausted', destinationId });
  const staff = await aStaffKey(api.db);
  const ask = (body: object, headers: Record<string, string> = {}) =>
    api.call('POST /staff/replays', { key: staff.token, headers, body: { ...wanted, reason, ...body } });
  const move = (replayId: string, how: string, why = 'Too fast for them') =>
    api.call(`POST /staff/replays/${replayId}/${how}`, { key: staff.token, body: { reason: why } });
  const acts = async () => {
    const rows = await api.db('audit_entries').where({ actor_type: 'staff' }).orderBy('id');
    return rows.map(({ action, target_id, reason: why }) => [action, target_id, why]);
  };
  const scope = `channel:${channel.publicId}`;
  return { ...api, staff, ask, move, acts, signals, scope };
}

test('staff replay in any organization, whose audit log shows the reason', async (t) => {
  const { db, call, ask, signals, scope, staff, organization, workspace, apiKey } = await stage(t);
  const { status, body } = await ask({ scope, ratePerSecond: 5 });
  t.is(status, 202);
  t.is(body.matched, 1);
  t.is(signals[0]?.replayId, body.replayId);
  const log = await call(`GET /organizations/${organization.publicId}/audit-entries`, { key: apiKey });
  t.like(log.body.entries[0], { action: 'replay.created', targetId: body.replayId, reason });
  t.like(log.body.entries[0], { actor: { type: 'staff', id: staff.publicId }, workspaceId: workspace.publicId });
  const own = await call(`GET /replays/${body.replayId}`, { key: apiKey });
  t.like(own.body, { scope, status: 'planning', ratePerSecond: 5 }, 'the organization sees the replay');
  t.is((await db('replays')).length, 1);
});

test('a dry run by staff creates nothing and is audited', async (t) => {
  const { db, ask, acts, signals, organization, workspace, channel } = await stage(t);
  const ids = [channel.publicId, workspace.publicId, organization.publicId];
  for (const [index, kind] of ['channel', 'workspace', 'organization'].entries()) {
    const { body } = await ask({ scope: `${kind}:${ids[index]}`, dryRun: true });
    t.deepEqual(body, {
      replayId: null,
      matched: 1,
      isCountComplete: true,
      ratePerSecond: 50,
      unverifiedDestinations: 0,
    });
  }
  t.deepEqual(await db('replays'), []);
  t.deepEqual(signals, []);
  t.deepEqual(
    await acts(),
    ids.map((id) => ['replay.counted', id, reason]),
  );
});

test('staff manage all replays, and each action is audited', async (t) => {
  const { db, call, refused, ask, move, acts, scope, staff, apiKey, organization, workspace } = await stage(t);
  const replayId = (await ask({ scope })).body.replayId;
  const theirs = (await call('POST /replays', { key: apiKey, body: { ...wanted, scope } })).body.replayId;
  const key = staff.token;
  const one = await call(`GET /staff/replays/${replayId}?reason=Ticket+812`, { key });
  t.like(one.body, { replayId, status: 'planning', matched: 1, workspaceId: workspace.publicId });
  t.is(one.body.organizationId, organization.publicId);
  t.is(one.body.temporalUrl, `https://temporal.example.com/namespaces/messaging/workflows/replay%2F${replayId}`);
  const list = await call(`GET /staff/replays?scope=${scope}&reason=Ticket+812`, { key });
  t.deepEqual(fieldsOf(list.body.replays, 'replayId'), [theirs, replayId]);
  t.is((await move(replayId, 'pause')).body.status, 'paused');
  t.is((await move(theirs, 'pause')).body.status, 'paused');
  t.is((await move(replayId, 'resume')).body.status, 'planning');
  t.is((await move(replayId, 'cancel')).body.status, 'cancelled');
  await refused('REPLAY_ENDED', `POST /staff/replays/${replayId}/pause`, { key, body: { reason } });
  t.deepEqual(await acts(), [
    ['replay.created', replayId, reason],
    ['replay.read', replayId, 'Ticket 812'],
    ['replay.searched', scope.slice('channel:'.length), 'Ticket 812'],
    ['replay.paused', replayId, 'Too fast for them'],
    ['replay.paused', theirs, 'Too fast for them'],
    ['replay.resumed', replayId, 'Too fast for them'],
    ['replay.cancelled', replayId, 'Too fast for them'],
  ]);
  const entries = await db('audit_entries').where({ actor_type: 'staff' });
  t.true(entries.every((entry) => entry.organization_id === organization.id));
});

test('staff cannot create or change replays without a reason', async (t) => {
  const { db, refused, ask, staff, scope } = await stage(t);
  const { replayId } = (await ask({ scope })).body;
  const key = staff.token;
  const before = await db('audit_entries').count();
  for (const missing of [{}, { reason: ' ' }]) {
    await refused('VALIDATION_ERROR', 'POST /staff/replays', { key, body: { ...wanted, scope, ...missing } });
    for (const how of ['pause', 'resume', 'cancel']) {
      await refused('VALIDATION_ERROR', `POST /staff/replays/${replayId}/${how}`, { key, body: missing });
    }
  }
  t.is((await db('replays').first()).status, 'planning');
  t.deepEqual(await db('audit_entries').count(), before);
});

test('a staff idempotency key repeats only the staff replay', async (t) => {
  const { db, call, refused, ask, staff, scope, apiKey } = await stage(t);
  const headers = { 'idempotency-key': 'ticket-812' };
  const first = await ask({ scope }, headers);
  t.deepEqual((await ask({ scope }, headers)).body, first.body);
  const other = { ...wanted, scope, reason: 'Another' };
  await refused('IDEMPOTENCY_KEY_REUSED', 'POST /staff/replays', { key: staff.token, headers, body: other });
  const theirs = await call('POST /replays', { key: apiKey, headers, body: { ...wanted, scope } });
  t.is(theirs.status, 202);
  t.not(theirs.body.replayId, first.body.replayId);
  t.is((await db('audit_entries').where({ action: 'replay.created' })).length, 2);
});
