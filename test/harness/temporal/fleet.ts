import type { ExecutionContext } from 'ava';
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { taskQueues } from '../../../contract/task-queues.ts';
import { createActivityWorkers } from '../../../worker/activity-workers.ts';
import { workflowBundle } from '../../../worker/workflow-bundle.ts';
import { ownNamespace } from '../system/own-namespace.ts';
import { cacheOptions, connectOnce, type FakeActivities, runUntilTeardown } from './temporal.ts';

const SLOTS = 4;

export interface FleetHarness {
  readonly client: Client;
  /** The task queue that ran each activity type. */
  readonly queueOf: ReadonlyMap<string, string>;
}

/** Serves the product's task queues, except the pumps', in the test's own namespace with few slots each. */
export async function fleetHarness(t: ExecutionContext<unknown>, activities: FakeActivities): Promise<FleetHarness> {
  const connection = await connectOnce();
  const client = await ownNamespace(t, process.env['TEST_TEMPORAL_ADDRESS']!);
  const queueOf = new Map<string, string>();
  const recorded = Object.fromEntries(
    Object.entries(activities).map(([name, act]) => [
      name,
      (input: never) => {
        queueOf.set(name, Context.current().info.taskQueue);
        return act(input);
      },
    ]),
  );
  const shared = { connection, namespace: client.options.namespace, activities: recorded };
  const main = {
    taskQueue: taskQueues.main,
    workflowBundle: await workflowBundle(),
    maxConcurrentActivityTaskExecutions: SLOTS,
    maxConcurrentActivityTaskPolls: 2,
  };
  await runUntilTeardown(t, await Worker.create({ ...shared, ...cacheOptions(), ...main }));
  const few = { interactive: SLOTS, codes: SLOTS, mails: SLOTS };
  const slots = { ...few, receivers: SLOTS, media: SLOTS, upkeep: SLOTS };
  for (const worker of await createActivityWorkers({ shared, slots })) await runUntilTeardown(t, worker);
  return { client, queueOf };
}
