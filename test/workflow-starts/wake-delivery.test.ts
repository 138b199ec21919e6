import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { deliverWebhook } from '../../workflows/deliveries/deliver-webhook.ts';
import { deliveryWorkflowId } from '../../contract/ids.ts';
import { createWorkerStarts } from '../../workflow-starts/worker-starts.ts';
import { temporalHarness } from '../harness/temporal/temporal.ts';

const DAY_MS = 86_400_000;

test('a woken delivery attempts at once, and a missing one is ignored', async (t) => {
  const attemptDelivery = async () => ({ status: 'delivered', description: 'accepted (200)' });
  const { client, start } = await temporalHarness(t, { attemptDelivery });
  const { wakeDelivery } = createWorkerStarts({ client, retryScheduleMs: [], pollScheduleMs: [], probeDelaysMs: [] });
  const deliveryId = `wd_${randomUUID()}`;
  const counts = { attemptsMade: 1, failedInSchedule: 1, nextAttemptAtMs: Date.now() + DAY_MS, scheduleMs: [1] };
  const workflowId = deliveryWorkflowId(deliveryId);
  const handle = await start<typeof deliverWebhook>('deliverWebhook', {
    workflowId,
    args: [{ deliveryId, ...counts }],
  });
  await wakeDelivery(`wd_${randomUUID()}`);
  await wakeDelivery(deliveryId);
  t.deepEqual(await handle.result(), { status: 'delivered', attempts: 2 });
});
