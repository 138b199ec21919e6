import test, { type ExecutionContext } from 'ava';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import type { ReplayStart } from '../../../contract/replays/replay.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { webhookStage } from '../../harness/api/stages.ts';
import { aSubscriptionDestination } from '../../harness/deliveries/hot-ledger.ts';
import { aLedgerDelivery } from '../../harness/deliveries/ledger.ts';
import { aChannel, aKey, aMember, aTenant, type TestChannel } from '../../harness/tenants.ts';

const times = { since: '2026-01-01T00:00:00Z', until: '2100-01-01T01:00:00+01:00' };
const wanted = { ...times, statuses: ['exhausted'] };

async function stage(t: ExecutionContext, { isAway = false } = {}) {
  const signals: ReplayStart[] = [];
  const temporal: Partial<WorkflowStarts> = {
    signalReplay: (replay) => {
      signals.push(replay);
      return Promise.resolve(
        isAway ? { state: 'not_started', cause: undefined } : { state: 'ended', result: 'signalled' },
      );
    },
  };
  const api = await webhookStage(t, { starts: temporal });
  const { channel, destinationId, at } = api;
  const exhausted = async (of: TestChannel = channel) =>
    await aLedgerDelivery(api.db, of, { status: 'exhausted', destinationId });
  const ask = (body: object, call = at) => api.call('POST /replays', { ...call, body: { ...wanted, ...body } });
  return { ...api, exhausted, at, ask, signals, scope: `channel:${channel.publicId}` };
}

test('a dry run counts and stores nothing', async (t) => {
  const { db, ask, exhausted, scope, signals } = await stage(t);
  for (let n = 0; n < 3; n++) await exhausted();
  const { status, body } = await ask({ scope, dryRun: true });
  t.is(status, 202);
  t.deepEqual(body, {
    replayId: null,
    matched: 3,
    isCountComplete: true,
    ratePerSecond: 50,
    unverifiedDestinations: 0,
  });
  t.deepEqual(await db('replays'), []);
  t.deepEqual(signals, []);
});

test('a replay is stored and audited, and its workflow is signalled', async (t) => {
  const { db, ask, call, exhausted, scope, signals, channel, workspace, at } = await stage(t);
  await exhausted();
  const { status, body } = await ask({
    scope,
    ratePerSecond: 10,
    destination: 'webhook',
    eventTypes: ['chatapp.message.received'],
  });
  t.is(status, 202);
  t.is(body.matched, 1);
  const { replayId } = body;
  const common = { replayId, scope, destination: 'webhook', ratePerSecond: 10 };
  t.deepEqual(signals, [{ ...common, workspaceId: workspace.publicId, channelId: channel.publicId }]);
  t.like(await db('audit_entries').orderBy('id', 'desc').first(), {
    action: 'replay.created',
    target_id: replayId,
    reason: scope,
    actor_type: 'api_key',
    workspace_id: workspace.id,
  });

  const record = await call(`GET /replays/${replayId}`, at);
  t.like(record.body, { ...common, status: 'planning', matched: 1, sent: 0, delivered: 0, failed: 0, waiting: 0 });
  t.like(record.body, { until: '2100-01-01T00:00:00.000Z', startedAt: null, endedAt: null });
  t.is(record.body.workflowId, `replay/${replayId}`);
});

test('a replay is accepted during an outage of Temporal', async (t) => {
  const { ask, call, at, scope } = await stage(t, { isAway: true });
  const { status, body } = await ask({ scope });
  t.is(status, 202);
  t.is((await call(`POST /replays/${body.replayId}/pause`, at)).body.status, 'paused');
});

test('a replay can be paused, resumed and cancelled until it ends', async (t) => {
  const { db, ask, call, refused, scope, at, signals } = await stage(t);
  const { replayId } = (await ask({ scope })).body;
  const move = async (how: string) => await call(`POST /replays/${replayId}/${how}`, at);
  for (const [how, status] of [['pause', 'paused'], ['pause', 'paused'], ['resume', 'planning'], ['cancel', 'cancelled'], ['cancel', 'cancelled']] as const) {
    const answer = await move(how);
    t.is(answer.status, 202);
    t.is(answer.body.status, status);
  } // prettier-ignore
  t.truthy((await move('cancel')).body.endedAt);
  await refused('REPLAY_ENDED', `POST /replays/${replayId}/resume`, at);
  await refused('REPLAY_ENDED', `POST /replays/${replayId}/pause`, at);
  t.is(signals.length, 7);
  const acts = await db('audit_entries').where({ target_id: replayId }).orderBy('id').pluck('action');
  t.deepEqual(acts.slice(0, 3), ['replay.created', 'replay.paused', 'replay.paused']);
});

test('concurrent moves of a replay answer alike', async (t) => {
  const { db, ask, call, refused, scope, at } = await stage(t);
  const { replayId } = (await ask({ scope })).body;
  const moves = { pause: 'paused', resume: 'planning', cancel: 'cancelled' };
  for (const [how, status] of Object.entries(moves)) {
    const answers = await Promise.all([1, 2, 3].map(() => call(`POST /replays/${replayId}/${how}`, at)));
    for (const answer of answers) t.deepEqual([answer.status, answer.body.status], [202, status]);
  }
  await db('replays').where({ public_id: replayId }).update({ status: 'completed', planned_at: new Date() });
  await refused('REPLAY_ENDED', `POST /replays/${replayId}/cancel`, at);
});

test('progress counts the outcomes of replayed deliveries', async (t) => {
  const { db, ask, call, exhausted, scope, at, channel, destinationId } = await stage(t);
  const sources = [await exhausted(), await exhausted(), await exhausted(), await exhausted()];
  const { replayId } = (await ask({ scope })).body;
  const { id } = await db('replays').where({ public_id: replayId }).first('id');
  const statuses = ['delivered', 'retrying', 'exhausted'] as const;
  const made = [];
  for (const [index, status] of statuses.entries()) {
    const delivery = await aLedgerDelivery(db, channel, { status, destinationId, attemptCount: 1 });
    made.push(delivery);
    await db('replay_items').insert({
      replay_id: id,
      source_delivery_id: sources[index]!.id,
      channel_id: channel.id,
      event_id: index,
      slot: 0,
      delivery_id: delivery.id,
      done_at: new Date(),
    });
  }
  await db('replays').where({ id }).update({ status: 'running', planned: 4, sent: 3, planned_at: new Date() });
  const { body } = await call(`GET /replays/${replayId}`, at);
  t.like(body, { status: 'running', matched: 4, sent: 3, delivered: 1, failed: 1, waiting: 1 });
  const one = await call(`GET /deliveries/${made[0]!.publicId}`, at);
  t.like(one.body, { replayId, replayOf: sources[0]!.publicId });
  t.like((await call(`GET /deliveries/${sources[0]!.publicId}`, at)).body, { replayId: null, replayOf: null });
});

test("a channel's, workspace's or organization's replays are listed newest first", async (t) => {
  const { ask, call, refused, scope, at, organization, workspace, apiKey: key } = await stage(t);
  const ids: string[] = [];
  for (const each of [scope, `workspace:${workspace.publicId}`, `organization:${organization.publicId}`]) {
    ids.unshift((await ask({ scope: each })).body.replayId);
  }
  const list = async (query: string, call_: object = { key }) =>
    (await call(`GET /replays${query}`, call_)).body.replays.map((one: { replayId: string }) => one.replayId);
  t.deepEqual(await list(`?scope=organization:${organization.publicId}`), ids);
  t.deepEqual(await list('', at), ids.slice(1));
  t.deepEqual(await list(`?scope=${scope}`), ids.slice(2));
  await refused('VALIDATION_ERROR', 'GET /replays', { key });
  const page = await call('GET /replays?limit=1', at);
  t.is(page.body.nextCursor, ids[1]);
  t.deepEqual(await list(`?cursor=${page.body.nextCursor}`, at), ids.slice(2));
  await refused('VALIDATION_ERROR', 'GET /replays?cursor=rpl_00000000', at);
});

test('a named subscription requires its channel; wider scopes require the webhook', async (t) => {
  const { db, ask, refused, scope, at, channel, organization, workspace } = await stage(t);
  const subscriptionOf = async (of: TestChannel, publicId: string) => {
    const destinationId = await aSubscriptionDestination({ db }, of);
    await db('subscriptions').insert({ public_id: publicId, channel_id: of.id, destination_id: destinationId });
    return destinationId;
  };
  const own = await subscriptionOf(channel, 'sub_own00000');
  await subscriptionOf(await aChannel(db, workspace), 'sub_other000');
  const refuse = (code: 'VALIDATION_ERROR' | 'SUBSCRIPTION_NOT_FOUND', body: object) =>
    refused(code, 'POST /replays', { ...at, body: { ...wanted, scope, ...body } });

  await refuse('SUBSCRIPTION_NOT_FOUND', { destination: 'sub_other000' });
  await refuse('SUBSCRIPTION_NOT_FOUND', { destination: 'sub_none0000' });
  await refuse('VALIDATION_ERROR', { scope: `workspace:${workspace.publicId}`, destination: 'sub_own00000' });
  await refuse('VALIDATION_ERROR', { scope: `organization:${organization.publicId}`, destination: 'sub_own00000' });
  await refuse('VALIDATION_ERROR', { destination: 'listener' });
  const { body } = await ask({ destination: 'sub_own00000', scope });
  t.like(await db('replays').where({ public_id: body.replayId }).first(), { destination_slot: own });
  t.is((await ask({ destination: 'webhook', scope: `organization:${organization.publicId}` })).status, 202);
});

test('an invalid replay is refused', async (t) => {
  const { refused, scope, at } = await stage(t);
  const wrong: readonly object[] = [
    { statuses: [] },
    { statuses: ['lost'] },
    { since: times.until, until: times.since },
    { ratePerSecond: 0 },
    { ratePerSecond: 1_001 },
    { eventTypes: [] },
    { scope: 'channel:ws_00000000' },
    { unknown: 1 },
  ];
  for (const body of wrong)
    await refused('VALIDATION_ERROR', 'POST /replays', { ...at, body: { ...wanted, scope, ...body } });
});

test("another tenant's channel, workspace and organization do not exist", async (t) => {
  const { db, refused, at, scope: own, apiKey: key } = await stage(t);
  const theirs = await aTenant(db);
  const foreign = await aChannel(db, theirs.workspace);
  for (const [code, scope] of [
    ['CHANNEL_NOT_FOUND', `channel:${foreign.publicId}`],
    ['WORKSPACE_NOT_FOUND', `workspace:${theirs.workspace.publicId}`],
    ['ORGANIZATION_NOT_FOUND', `organization:${theirs.organization.publicId}`],
  ] as const) {
    for (const call of [{ key }, at]) {
      await refused(code, 'POST /replays', { ...call, body: { ...wanted, scope, dryRun: true } });
      await refused(code, `GET /replays?scope=${scope}`, call);
    }
  }
  const body = { ...wanted, scope: own };
  await refused('WORKSPACE_ORG_MISMATCH', 'POST /replays', { key, workspace: theirs.workspace.publicId, body });
  t.pass();
});

test("a workspace header must match the replay's scope", async (t) => {
  const { db, ask, refused, scope, organization, apiKey: key } = await stage(t);
  const other = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  const call = { key, workspace: other.publicId };
  await refused('CHANNEL_NOT_FOUND', 'POST /replays', { ...call, body: { ...wanted, scope } });
  const { replayId } = (await ask({ scope })).body;
  await refused('REPLAY_NOT_FOUND', `GET /replays/${replayId}`, call);
  t.pass();
});

test('members replay in their workspaces, admins in the whole organization', async (t) => {
  const { db, call, refused, ask, scope, organization, workspace } = await stage(t);
  const member = await aMember(db, organization, 'member');
  const key = await aKey(db, { organization, user: member, scopes: ['deliveries.replay', 'deliveries.read'] });
  const whole = (await ask({ scope: `organization:${organization.publicId}` })).body.replayId;
  const body = { ...wanted, scope };
  await refused('CHANNEL_NOT_FOUND', 'POST /replays', { key, body });
  const of = (place: string) => ({ key, body: { ...wanted, scope: place } });
  await refused('WORKSPACE_NOT_FOUND', 'POST /replays', of(`workspace:${workspace.publicId}`));
  await db('workspace_members').insert({ workspace_id: workspace.id, user_id: member.id, role: 'member' });
  const own = await call('POST /replays', { key, body });
  t.is(own.status, 202);
  t.is((await call(`GET /replays/${own.body.replayId}`, { key })).status, 200);
  await refused('FORBIDDEN', 'POST /replays', of(`organization:${organization.publicId}`));
  await refused('REPLAY_NOT_FOUND', `GET /replays/${whole}`, { key });
  const reader = await aKey(db, { organization, user: member, scopes: ['deliveries.read'] });
  await refused('AGENT_SCOPE_INSUFFICIENT', `POST /replays/${own.body.replayId}/cancel`, { key: reader });
});
