import test, { type ExecutionContext } from 'ava';
import { rolloutRetryWaitsMs } from '../../../contract/webhooks/rollout.ts';
import { reconcileAlerts } from '../../../db/alerts/reconcile-alerts.ts';
import { recordCandidateFailure } from '../../../db/webhooks/candidates.ts';
import { retryRollout } from '../../../db/webhooks/rollouts.ts';
import { endRollout, listRolloutsOfChannel } from '../../../db/webhooks/rollout-runs.ts';
import {
  aDefaultWebhook,
  organizationOwner,
  rolloutSteps,
  startedRollout,
} from '../../harness/channels/default-webhooks.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const limits = { circuitOpenMs: 600_000, credentialEndsMs: 0 };

/** A channel that was connected while there was a default webhook. */
async function stage(t: ExecutionContext) {
  const { db, tenant } = await tenantDatabase(t);
  const owner = organizationOwner(tenant);
  await aDefaultWebhook(db, owner);
  const channel = await aChannel(db, tenant.workspace);
  const open = () => listRolloutsOfChannel(db, channel.publicId);
  const end = (publicId: string) => endRollout(db, { publicId, status: 'completed' });
  /** The receiver fails a probe of the channel's rollout. */
  const fail = async (rolloutId: string, status: 'failed' | 'blocked' | 'abandoned' = 'failed'): Promise<void> => {
    const steps = await rolloutSteps(db, rolloutId);
    const candidateId = (await steps.stage(channel.id))!;
    await recordCandidateFailure(db, { candidateId, status, failure: 'timeout' });
    await steps.settle(channel.id, candidateId);
    await end(rolloutId);
  };
  const waitMs = async (publicId: string): Promise<number | null> => {
    const row = await db('webhook_rollouts').where({ public_id: publicId }).first();
    return row.retry_at && row.retry_at.getTime() - row.ended_at.getTime();
  };
  const pass = () => db('webhook_rollouts').whereNotNull('retry_at').update({ retry_at: db.fn.now() });
  /** Whether the start of a rollout is requested for the time of its retry. */
  const isRequested = async (publicId: string): Promise<boolean> => {
    const starts = db('workflow_starts as s').join('webhook_rollouts as r', 'r.public_id', 's.subject_id');
    return (await starts.where('r.public_id', publicId).whereRaw('s.due_at = r.retry_at')).length === 1;
  };
  return { isRequested, db, owner, channel, open, end, fail, waitMs, pass };
}

test('a new channel whose receiver fails is tried again a few times', async (t) => {
  const { db, channel, open, fail, waitMs, pass, isRequested } = await stage(t);
  for (const wait of [...rolloutRetryWaitsMs, null]) {
    const [rollout, ...others] = await open();
    t.deepEqual(others, []);
    await fail(rollout!.rolloutId);
    const { rolloutId } = rollout!;
    t.is(await waitMs(rolloutId), wait);
    t.is(await isRequested(rolloutId), wait !== null);
    t.false(await retryRollout(db, rolloutId), 'not before the wait is over');
    const alerts = await reconcileAlerts(db, limits);
    t.is(alerts.openedCount, wait === null ? 1 : 0);
    await pass();
    const retried = await Promise.all([retryRollout(db, rolloutId), retryRollout(db, rolloutId)]);
    t.is(retried.filter(Boolean).length, wait === null ? 0 : 1);
    t.is((await reconcileAlerts(db, limits)).resolvedCount, 0);
  }
  t.like(await db('alerts').first(), { kind: 'defaultWebhook.failed', subject_id: channel.publicId });
  await aWebhook(db, channel);
  t.is((await reconcileAlerts(db, limits)).resolvedCount, 1);
  t.deepEqual(await open(), []);
  t.is((await db('webhook_rollouts').where({ channel_id: channel.id })).length, rolloutRetryWaitsMs.length + 1);
});

test('a channel that passes at a later try gets the webhook', async (t) => {
  const { db, channel, open, end, fail, waitMs, pass } = await stage(t);
  const first = (await open())[0]!.rolloutId;
  await fail(first, 'abandoned');
  await pass();
  t.true(await retryRollout(db, first));
  const { rolloutId } = (await open())[0]!;
  const steps = await rolloutSteps(db, rolloutId);
  t.is(await steps.save(channel.id), 'applied');
  await end(rolloutId);
  t.is(await waitMs(rolloutId), null);
});

test('only failures of a new channel that can pass are tried again', async (t) => {
  const { db, owner, channel, open, fail, waitMs, pass } = await stage(t);
  const first = (await open())[0]!.rolloutId;
  await fail(first, 'blocked');
  t.is(await waitMs(first), null);
  const requested = await startedRollout(db, owner);
  await fail(requested.publicId);
  t.is(await waitMs(requested.publicId), null);
  await db('webhook_rollouts').where({ public_id: first }).update({ retry_at: db.fn.now() });
  await db('channels').where({ id: channel.id }).update({ disconnected_at: db.fn.now(), disconnected_reason: 'x' });
  await pass();
  t.false(await retryRollout(db, first), 'a disconnected channel');
});
