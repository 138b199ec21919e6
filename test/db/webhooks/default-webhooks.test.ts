import test, { type ExecutionContext } from 'ava';
import { commitCandidate, recordCandidateFailure } from '../../../db/webhooks/candidates.ts';
import { clearWebhook, readWebhookConfig, stageCandidate } from '../../../db/webhooks/configs.ts';
import {
  clearDefaultWebhook,
  commitDefaultWebhook,
  findDefaultWebhook,
  findEffectiveDefault,
} from '../../../db/webhooks/default-webhooks.ts';
import {
  closeRolloutRun,
  endRollout,
  findRolloutStart,
  listRolloutsOfChannel,
} from '../../../db/webhooks/rollout-runs.ts';
import { createRollout, findRollout } from '../../../db/webhooks/rollouts.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { testAudit } from '../../harness/audit.ts';
import { overdueRows } from '../../harness/database/overdue-rows.ts';
import { removeAllExpired } from '../../harness/database/remove-expired.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, type TestChannel, testSecretBox } from '../../harness/tenants.ts';
import {
  aDefaultWebhook,
  organizationOwner,
  rolloutSteps,
  stagedDefault,
  startedRollout,
  workspaceOwner,
} from '../../harness/channels/default-webhooks.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const url = 'https://default.example.com/hook';

async function stage(t: ExecutionContext) {
  const stage = await tenantDatabase(t);
  return { ...stage, owner: organizationOwner(stage.tenant) };
}

test('the later of two saved defaults replaces the earlier', async (t) => {
  const { db, owner } = await stage(t);
  const first = await stagedDefault(db, owner, { url: 'https://1.example.com/' });
  const second = await stagedDefault(db, owner, { url: 'https://2.example.com/' });
  t.is(await commitDefaultWebhook(db, first), 'overtaken');
  t.is(await commitDefaultWebhook(db, second), 'committed');
  t.is(await commitDefaultWebhook(db, second), 'committed', 'a repeat changes nothing');
  t.is((await findDefaultWebhook(db, owner))?.url, 'https://2.example.com/');
  await aDefaultWebhook(db, owner, { url: 'https://3.example.com/' });
  t.is((await findDefaultWebhook(db, owner))?.url, 'https://3.example.com/');
  t.is((await db('default_webhooks').whereNotNull('verify_token_encrypted')).length, 1, 'old tokens are removed');
});

test('an expired or cleared default does not commit', async (t) => {
  const { db, owner } = await stage(t);
  const late = await stagedDefault(db, owner, { deadlineMs: 0 });
  t.is(await commitDefaultWebhook(db, late), 'expired');
  const cleared = await stagedDefault(db, owner);
  await clearDefaultWebhook(db, { ...owner, audit: testAudit });
  t.is(await commitDefaultWebhook(db, cleared), 'overtaken');
  t.is(await findDefaultWebhook(db, owner), undefined);
});

test('a concurrent commit and clear leave no default', async (t) => {
  const { db, another, owner } = await stage(t);
  const other = another();
  for (let round = 0; round < 10; round++) {
    const id = await stagedDefault(db, owner);
    const clear = () => clearDefaultWebhook(other, { ...owner, audit: testAudit });
    const [result] = await Promise.all([commitDefaultWebhook(db, id), clear()]);
    t.true(['committed', 'overtaken'].includes(result));
    t.is(await findDefaultWebhook(db, owner), undefined);
  }
});

test("a workspace's default takes precedence over the organization's", async (t) => {
  const { db, tenant } = await tenantDatabase(t);
  const place = { workspaceId: tenant.workspace.id };
  t.is(await findEffectiveDefault(db, place), undefined);
  const general = await aDefaultWebhook(db, organizationOwner(tenant));
  t.is((await findEffectiveDefault(db, place))?.id, general);
  const own = await aDefaultWebhook(db, workspaceOwner(tenant));
  t.is((await findEffectiveDefault(db, place))?.id, own);
});

test('of two concurrent rollouts of an owner, one is refused', async (t) => {
  const { db, another, owner } = await stage(t);
  const other = another();
  await aDefaultWebhook(db, owner);
  const request = { ...owner, dryRun: false, replaceOwn: false, key: null, audit: testAudit };
  const outcomes = await Promise.all([createRollout(db, request), createRollout(other, request)]);
  t.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ['created', 'running']);
});

/** Channels with each kind of webhook, and a default. */
async function variedChannels(t: ExecutionContext) {
  const { db, owner, tenant } = await stage(t);
  const second = await insertWorkspace(db, { organizationId: tenant.organization.id, name: 'B', kind: 'team' });
  const inFirst = () => aChannel(db, tenant.workspace);
  const bare = await inFirst();
  const own = await inFirst();
  const same = await inFirst();
  const saving = await inFirst();
  const elsewhere = await aChannel(db, second);
  await aWebhook(db, own, { url: 'https://own.example.com/' });
  const staged = { url, verifyToken: 'default token', deadlineMs: 600_000 };
  const candidateId = await stageCandidate(db, testSecretBox, { ...keyOf(same), ...staged });
  await commitCandidate(db, { candidateId });
  await stageCandidate(db, testSecretBox, { ...keyOf(saving), ...staged });
  await aDefaultWebhook(db, owner);
  await aDefaultWebhook(db, workspaceOwner({ ...tenant, workspace: second }));
  return { db, owner, bare, own, same, saving, elsewhere };
}

test('a dry run says what would happen to each channel', async (t) => {
  const { db, owner, bare, own, same, saving, elsewhere } = await variedChannels(t);
  const tried = await rolloutSteps(db, (await startedRollout(db, owner, { dryRun: true })).publicId);
  t.deepEqual(await tried.settleAll(), [], 'a dry run saves nothing');
  t.deepEqual(await tried.results(), [
    [bare.publicId, 'applied', null],
    [own.publicId, 'skipped', 'own_webhook'],
    [same.publicId, 'unchanged', null],
    [saving.publicId, 'skipped', 'webhook_changed'],
    [elsewhere.publicId, 'skipped', 'workspace_default'],
  ]);
  t.is((await readWebhookConfig(db, testSecretBox, keyOf(bare))).webhookUrl, null);
});

test('a rollout may replace the webhooks of channels', async (t) => {
  const { db, owner, bare, own } = await variedChannels(t);
  const steps = await rolloutSteps(db, (await startedRollout(db, owner, { replaceOwn: true })).publicId);
  t.deepEqual(await steps.settleAll(), [bare.id, own.id]);
  t.is(await steps.save(bare.id), 'applied');
  t.is(await steps.save(own.id), 'applied');
  t.is(await steps.save(own.id), undefined, 'a channel has one result');
  t.like(await findRollout(db, steps.rolloutId), { total: 5, applied: 2, unchanged: 1, skipped: 2, failed: 0 });
  t.is((await readWebhookConfig(db, testSecretBox, keyOf(bare))).webhookUrl, url);
  t.is((await readWebhookConfig(db, testSecretBox, keyOf(own))).verifyToken, 'default token');
});

test('a channel with an older default gets the new one', async (t) => {
  const { db, owner, tenant } = await stage(t);
  const channel = await aChannel(db, tenant.workspace);
  for (const version of ['https://1.example.com/', 'https://2.example.com/']) {
    await aDefaultWebhook(db, owner, { url: version });
    const steps = await rolloutSteps(db, (await startedRollout(db, owner)).publicId);
    t.deepEqual(await steps.settleAll(), [channel.id]);
    t.is(await steps.save(channel.id), 'applied');
    await endRollout(db, { publicId: steps.rolloutId, status: 'completed' });
    t.is((await readWebhookConfig(db, testSecretBox, keyOf(channel))).webhookUrl, version);
  }
});

test('a save that is overtaken or fails leaves its reason', async (t) => {
  const { db, owner, tenant } = await stage(t);
  const aNew = () => aChannel(db, tenant.workspace);
  const overtaken = await aNew();
  const failed = await aNew();
  const lost = await aNew();
  await aDefaultWebhook(db, owner);
  const steps = await rolloutSteps(db, (await startedRollout(db, owner)).publicId);
  const first = await steps.stage(overtaken.id);
  const second = await steps.stage(failed.id);
  const third = await steps.stage(lost.id);
  await clearWebhook(db, testSecretBox, { ...keyOf(overtaken), audit: testAudit });
  t.is(await commitCandidate(db, { candidateId: first! }), 'overtaken');
  await recordCandidateFailure(db, { candidateId: second!, status: 'failed', failure: 'The GET probe failed' });
  for (const [channel, candidateId] of [
    [overtaken, first],
    [failed, second],
    [lost, third],
  ] as const) {
    await steps.settle(channel.id, candidateId!);
    await steps.settle(channel.id, candidateId!);
  }
  t.deepEqual(await steps.results(), [
    [overtaken.publicId, 'skipped', 'webhook_changed'],
    [failed.publicId, 'failed', 'verification_failed'],
    [lost.publicId, 'failed', 'save_unanswered'],
  ]);
  t.is(await commitCandidate(db, { candidateId: third! }), 'expired', 'a late save has no effect');
});

test('a changed default or a cancelled rollout stages nothing more', async (t) => {
  const { db, owner, tenant } = await stage(t);
  const channel = await aChannel(db, tenant.workspace);
  await aDefaultWebhook(db, owner);
  const steps = await rolloutSteps(db, (await startedRollout(db, owner)).publicId);
  await clearDefaultWebhook(db, { ...owner, audit: testAudit });
  t.is(await steps.stage(channel.id), undefined);
  t.deepEqual(await steps.results(), [[channel.publicId, 'skipped', 'default_changed']]);
});

test('a new channel gets a rollout of its own until it ends', async (t) => {
  const { db, owner, tenant } = await stage(t);
  await aDefaultWebhook(db, owner);
  const channel = await aChannel(db, tenant.workspace);
  const [start] = await listRolloutsOfChannel(db, channel.publicId);
  const steps = await rolloutSteps(db, start!.rolloutId);
  await aDefaultWebhook(db, owner, { url: 'https://newer.example.com/' });
  t.deepEqual(await steps.settleAll(), [channel.id]);
  t.is(await steps.save(channel.id), 'applied');
  t.is((await readWebhookConfig(db, testSecretBox, keyOf(channel))).webhookUrl, 'https://newer.example.com/');

  await db('webhook_rollouts').update({ progressed_at: new Date(0) });
  const stale = () => overdueRows(db, 'rollOutWebhook');
  t.deepEqual(await stale(), [steps.rolloutId]);
  t.deepEqual(await findRolloutStart(db, steps.rolloutId), start);
  await endRollout(db, { publicId: steps.rolloutId, status: 'completed' });
  await closeRolloutRun(db, steps.rolloutId);
  await db('webhook_rollouts').update({ progressed_at: new Date(0) });
  t.deepEqual(await stale(), []);
  t.is(await findRolloutStart(db, steps.rolloutId), undefined);
});

test('old rollouts and unused defaults are removed', async (t) => {
  const { db, owner, tenant } = await stage(t);
  await aDefaultWebhook(db, owner);
  const channel = await aChannel(db, tenant.workspace);
  const [start] = await listRolloutsOfChannel(db, channel.publicId);
  const steps = await rolloutSteps(db, start!.rolloutId);
  await steps.save(channel.id);
  await endRollout(db, { publicId: steps.rolloutId, status: 'completed' });
  await closeRolloutRun(db, steps.rolloutId);
  await stagedDefault(db, owner, { deadlineMs: 0 });
  const tables = ['webhook_rollout_results', 'webhook_rollouts', 'default_webhooks'];
  const counts = () => Promise.all(tables.map(async (table) => (await db(table)).length));
  const remove = async (cutoff: Date) => {
    for (const task of ['webhook_rollouts', 'default_webhooks'] as const) await removeAllExpired(db, task, { cutoff });
  };
  await remove(new Date(Date.now() - 3_600_000));
  t.deepEqual(await counts(), [1, 1, 2], 'young ones stay');
  await remove(new Date(Date.now() + 3_600_000));
  t.deepEqual(await counts(), [0, 0, 1], 'the current default stays');
});

function keyOf({ id, publicId }: TestChannel) {
  return { channelId: id, channelPublicId: publicId };
}
