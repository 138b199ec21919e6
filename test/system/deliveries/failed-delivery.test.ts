import test, { type ExecutionContext } from 'ava';
import { deliveryWorkflowId } from '../../../contract/ids.ts';
import type { WebhookScript } from '../../../simulator/receiver/scripted-webhook.ts';
import { retryDelivery, setRetrySchedule, untilStatuses } from '../../harness/system/delivery-watch.ts';
import { sharedSystem } from '../../harness/system/shared-system.ts';
import { until } from '../../harness/until.ts';
import { type WorkflowView, untilWorkflow } from '../../harness/system/workflow-view.ts';
import { connectedWith } from '../../harness/system/connected.ts';

type Answers = NonNullable<WebhookScript['answers']>;

test('a delivery whose first attempt fails continues in a readable workflow', async (t) => {
  const { api, connected, deliveryId, tenant, viewed } = await withFailedDelivery(t, [{ status: 503, body: 'busy' }]);

  const waiting = await viewed(({ steps }) => steps.length > 0);

  t.is(waiting.status, 'RUNNING');
  t.is(waiting.summary, `chatapp.message.received of ${connected.publicId} to webhook`);
  t.like(waiting.searchAttributes, {
    ServiceWorkspaceId: tenant.workspace.publicId,
    ServiceChannelId: connected.publicId,
    ServiceDestination: 'webhook',
    ServiceEventType: 'chatapp.message.received',
    ServiceState: 'retrying',
  });
  const { body: delivery } = await api.call(`GET /deliveries/${deliveryId}`);
  t.deepEqual(waiting.steps, [`attempt 2 at ${delivery.nextAttemptAt}`]);
  t.is(delivery.workflowId, deliveryWorkflowId(deliveryId));
  t.is(delivery.attempts.length, 1);
  t.like(delivery.attempts[0], { number: 1, outcome: 'rejected', status: 503, responseBody: 'busy' });
});

test('a retry of an exhausted delivery starts a new schedule', async (t) => {
  const answers: Answers = [{ status: 500 }, { mode: 'reset' }, { status: 404 }, { status: 503 }];
  const { api, connected, deliveryId, hook } = await withFailedDelivery(t, answers, [2, 1]);

  await untilStatuses(api, { channel: connected, statuses: ['exhausted'] });
  const { body: exhausted } = await api.call(`GET /deliveries/${deliveryId}`);
  t.deepEqual(
    exhausted.attempts.map(({ number, outcome, status }: Record<string, unknown>) => [number, outcome, status]),
    [
      [1, 'rejected', 500],
      [2, 'no_response', null],
      [3, 'rejected', 404],
    ],
  );
  t.is(exhausted.nextAttemptAt, null);

  await retryDelivery(api, deliveryId);
  await untilStatuses(api, { channel: connected, statuses: ['delivered'] });
  const received = hook.deliveries().map(({ headers }) => headers['x-service-attempt']);
  t.deepEqual(received, ['1', '2', '3', '4', '5']);
});

test('the service adopts a terminated delivery workflow', async (t) => {
  const { api, connected, deliveryId, hook, temporal, viewed } = await withFailedDelivery(t, [{ status: 503 }]);
  const first = await viewed(() => true);

  await temporal.workflow.getHandle(deliveryWorkflowId(deliveryId)).terminate('by hand');
  const second = await viewed(({ runId }) => runId !== first.runId);

  t.is(second.status, 'RUNNING');
  await retryDelivery(api, deliveryId);
  await untilStatuses(api, { channel: connected, statuses: ['delivered'] });
  t.is(hook.deliveries().length, 2);
});

test('a cancelled workflow cancels its delivery and unblocks the conversation', async (t) => {
  const { api, connected, deliveryId, hook, sender, temporal, viewed } = await withFailedDelivery(t, [{ status: 503 }]);
  await sender.message(connected);
  await untilStatuses(api, { channel: connected, statuses: ['retrying', 'pending'] });
  await viewed(() => true);

  await temporal.workflow.getHandle(deliveryWorkflowId(deliveryId)).cancel();
  await untilStatuses(api, { channel: connected, statuses: ['cancelled', 'delivered'] });

  const ended = await viewed(({ status }) => status !== 'RUNNING');
  t.is(ended.searchAttributes['ServiceState'], 'cancelled');
  t.is(hook.deliveries().length, 2);
});

/** The first attempt has failed. By default, no automatic retry falls within a test. */
async function withFailedDelivery(t: ExecutionContext, answers: Answers, steps?: readonly number[]) {
  const stage = await connectedWith(t, await sharedSystem(t), { answers });
  const { api, connected, sender, temporal } = stage;
  if (steps) await setRetrySchedule(api, { channel: connected, steps });
  await sender.message(connected);
  const deliveryId = await until(
    async (): Promise<string | undefined> => {
      const { body } = await api.callUntilDone(`GET /deliveries?scope=channel:${connected.publicId}`);
      // A short schedule may have ended by now.
      return body.deliveries.find(({ status }: { status: string }) => status !== 'pending')?.deliveryId;
    },
    { for: 'The failure of the first attempt' },
  );
  const viewed = (isIt: (view: WorkflowView) => boolean) =>
    untilWorkflow(temporal, deliveryWorkflowId(deliveryId), isIt);
  return { ...stage, deliveryId, viewed };
}
