import test from 'ava';
import type { WorkflowHandle } from '@temporalio/client';
import type { Knex } from 'knex';
import { createDestinationActivities } from '../../activities/destinations/destination-activities.ts';
import { createWebhookSaveActivities } from '../../activities/webhooks/webhook-save-activities.ts';
import { findFailedDeliveries } from '../../db/ledger/failed-deliveries.ts';
import { readWebhookSecret } from '../../db/webhooks/secrets.ts';
import { stageCandidate } from '../../db/webhooks/configs.ts';
import type { Receiver } from '../../simulator/receiver/receiver.ts';
import type { ScriptedWebhook } from '../../simulator/receiver/scripted-webhook.ts';
import { workflowTypes } from '../../workflows/workflow-types.ts';
import type { checkDestination } from '../../workflows/destinations/check-destination.ts';
import type { deliverWebhook } from '../../workflows/deliveries/deliver-webhook.ts';
import { retryNow } from '../../workflows/messages/messages.ts';
import type { saveWebhook } from '../../workflows/webhooks/save-webhook.ts';
import { presentHistory, textsOf } from './histories/history-file.ts';
import { createWorkerShares } from '../../worker/worker-shares.ts';
import { eventually } from '../harness/eventually.ts';
import { accepted, anItem } from '../harness/deliveries/hot-ledger.ts';
import { pumpStage } from '../harness/deliveries/pump-stage.ts';
import { temporalHarness } from '../harness/temporal/temporal.ts';
import { testSecretBox } from '../harness/tenants.ts';

const CANARY = 'canary-5b1f';

/** The webhook's URL and responses contain the canary. */
function canaryWebhook(receiver: Receiver): ScriptedWebhook {
  const webhook = receiver.webhook(`${CANARY}-url`);
  const answer = { status: 500, body: `${CANARY}-answer`, headers: { 'x-odd': `${CANARY}-header` } };
  webhook.set({ verifyToken: `${CANARY}-token`, probe: { post: answer }, then: answer });
  return webhook;
}

async function textsOfRun(handle: WorkflowHandle): Promise<string[]> {
  return textsOf(presentHistory(await handle.fetchHistory()));
}

async function answerInRow(db: Knex, candidateId: number): Promise<unknown> {
  const { probes } = await db('webhook_candidates').where({ id: candidateId }).first('probes');
  return probes.POST.responseBody;
}

test('no body, token, secret, URL or response enters a history', async (t) => {
  const stage = await pumpStage(t);
  const { db, pool, idKey, egress, log, channel, receiver } = stage;
  const webhook = canaryWebhook(receiver);
  await db('destinations').update({ url: webhook.url });
  const key = { channelId: channel.id, channelPublicId: channel.publicId };
  const { secret } = await readWebhookSecret(db, testSecretBox, key);

  const { start } = await temporalHarness(t, {
    ...stage.deliveryActivities,
    ...createDestinationActivities({ pool, egress }),
    ...createWebhookSaveActivities({
      signalCircuits: () => undefined,
      receiverShares: createWorkerShares().receivers,
      db,
      secretBox: testSecretBox,
      egress,
      log,
    }),
  });

  await accepted(pool, [anItem({ body: Buffer.from(`{"text":"${CANARY}-body"}`), sender: `${CANARY}-sender` })]);
  const pump = stage.startPump();
  await eventually(() => pump.promoted.length === 1);
  const [failed] = await findFailedDeliveries(pool, idKey, pump.promoted);
  const schedules = { retryScheduleMs: [1, 1], pollScheduleMs: [], probeDelaysMs: [], token: '' };
  const { args } = workflowTypes.deliverWebhook.start(failed!, schedules);
  const delivery = await start<typeof deliverWebhook>('deliverWebhook', { args });
  await delivery.signal(retryNow);
  t.like(await delivery.result(), { status: 'exhausted' });
  const candidate = { ...key, url: webhook.url, verifyToken: `${CANARY}-token`, deadlineMs: 600_000 };
  const candidateId = await stageCandidate(db, testSecretBox, candidate);
  const save = await start<typeof saveWebhook>('saveWebhook', { args: [{ candidateId }] });
  t.is(await save.result(), 'failed');
  t.is(await answerInRow(db, candidateId), `${CANARY}-answer`, 'the row holds the response');
  const destination = { destinationId: stage.destination.id };
  const check = await start<typeof checkDestination>('checkDestination', { args: [destination] });
  await check.result();

  for (const handle of [delivery, save, check]) {
    const texts = await textsOfRun(handle);
    t.deepEqual(
      texts.filter((text) => text.includes(CANARY) || text.includes(secret) || text.includes('http:')),
      [],
    );
    t.true(texts.some((text) => /failed|allowed|exhausted/.test(text)));
  }
});
