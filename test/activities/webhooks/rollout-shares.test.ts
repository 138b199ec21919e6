import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import { createRolloutActivities } from '../../../activities/webhooks/rollout-activities.ts';
import { createWebhookSaveActivities } from '../../../activities/webhooks/webhook-save-activities.ts';
import { stageCandidate } from '../../../db/webhooks/configs.ts';
import type { EgressRequest } from '../../../egress/client.ts';
import { createWorkerShares } from '../../../worker/worker-shares.ts';
import { aRollout } from '../../harness/channels/default-webhooks.ts';
import { fillShare } from '../../harness/deliveries/fill-share.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { inActivity } from '../../harness/temporal/activity.ts';
import { aChannel, testSecretBox } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

test('a rollout beyond the share of its organization waits without a slot', async (t) => {
  const { db, tenant } = await tenantDatabase(t);
  const channel = await aChannel(db, tenant.workspace);
  const rolloutId = await aRollout(db, tenant);
  const { receivers: receiverShares } = createWorkerShares();
  const sent: EgressRequest[] = [];
  const answer = { outcome: 'answered', status: 204, headers: {}, body: Buffer.alloc(0), bodyTruncated: false };
  const times = { bodyError: null, startedAtMs: 0, durationMs: 1 };
  const egress = {
    send: (request: EgressRequest) => {
      sent.push(request);
      return Promise.resolve({ ...answer, ...times });
    },
  };
  const deps = { db, secretBox: testSecretBox, receiverShares, log: rememberingLog() };
  const { stageRolloutSave } = createRolloutActivities(deps);
  const saves = createWebhookSaveActivities({ ...deps, egress: egress as never, signalCircuits: () => undefined });
  const stage = (attempt: number) =>
    inActivity(() => stageRolloutSave({ rolloutId, channel: channel.id }), { attempt });
  const isBusy = async (act: () => Promise<unknown>) => {
    const busy = await t.throwsAsync(act, { instanceOf: ApplicationFailure });
    t.like(busy, { type: 'ReceiversBusy', category: 'BENIGN', nonRetryable: false });
    return Number(busy.nextRetryDelay);
  };

  const release = fillShare(receiverShares, { organizationId: tenant.organization.id });
  t.true((await isBusy(() => stage(1))) <= 1_000);
  t.deepEqual(await db('webhook_candidates'), [], 'the deadline of the save has not begun');
  const { candidateId } = (await stage(10))!;
  for (const probe of ['probeVerifyToken', 'probeEmptyPost'] as const) {
    t.true((await isBusy(() => saves[probe]({ candidateId }))) <= 6_000);
  }
  t.deepEqual(sent, []);

  const other = await aChannel(db, tenant.workspace);
  const key = { channelId: other.id, channelPublicId: other.publicId };
  const save = { ...key, url: 'https://receiver.example.com/hook', deadlineMs: 600_000 };
  const requested = await stageCandidate(db, testSecretBox, save);
  t.is(await saves.probeEmptyPost({ candidateId: requested }), 'passed', 'a save that a person waits for');

  release();
  t.is(await saves.probeEmptyPost({ candidateId }), 'passed');
  t.is(sent.length, 2);
  t.is(receiverShares.count(), 0);
});
