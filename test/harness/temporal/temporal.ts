import { createHash, randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import {
  defineSearchAttributeKey,
  SearchAttributeType,
  TypedSearchAttributes,
  type Workflow,
} from '@temporalio/common';
import { Client, type WorkflowHandleWithFirstExecutionRunId, type WorkflowResultType } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { workflowBundle } from '../../../worker/workflow-bundle.ts';
import { eventually } from '../eventually.ts';
import { patient, quietTemporal } from './quiet-temporal.ts';

/**
 * Runs workflows on the real server. Each test has its own task queue. The pumps' queues have fixed names, so tests
 * that need them get their own namespace.
 */
export interface TemporalHarness {
  readonly client: Client;
  readonly taskQueue: string;
  start<T extends Workflow>(type: string, options: StartOptions<T>): Promise<WorkflowHandleWithFirstExecutionRunId<T>>;
  execute<T extends Workflow>(type: string, options: StartOptions<T>): Promise<WorkflowResultType<T>>;
}

export interface StartOptions<T extends Workflow> {
  readonly args: Parameters<T>;
  readonly workflowId?: string;
  readonly keywords?: Readonly<Record<string, string>>;
}

export type FakeActivities = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/** Comes before every attempt of a delivery. */
export const dueDelivery = { checkDelivery: async () => ({ status: 'due' }) } as const;

export interface HarnessOptions {
  /** Optional. Further activities by task queue. They get a namespace of the test's own. */
  readonly queues?: Readonly<Record<string, FakeActivities>>;
}

/** An activity learns of its cancellation by its next heartbeat. */
const HEARTBEAT_THROTTLE = '100ms';

let sharedConnection: Promise<NativeConnection> | undefined;

test.after.always(async () => {
  await (await sharedConnection)?.close();
});

export async function temporalHarness(
  t: ExecutionContext<unknown>,
  activities: FakeActivities,
  { queues }: HarnessOptions = {},
): Promise<TemporalHarness> {
  const connection = await connectOnce();
  const namespace = queues ? await freshNamespace(connection) : 'default';
  const client = new Client({ connection, namespace });
  const taskQueue = taskQueueOf(t);
  const common = { connection, namespace, ...cacheOptions() };
  await runUntilTeardown(
    t,
    await Worker.create({
      ...common,
      taskQueue,
      activities: { ...dueDelivery, ...activities },
      workflowBundle: await workflowBundle(),
    }),
  );
  for (const [queue, fakes] of Object.entries(queues ?? {})) {
    const own = { ...common, taskQueue: queue, maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE } as const;
    await runUntilTeardown(t, await Worker.create({ ...own, activities: fakes }));
  }

  const start: TemporalHarness['start'] = (type, { args, workflowId = `test/${randomUUID()}`, keywords = {} }) => {
    const typedSearchAttributes = attributesOf(keywords);
    return client.workflow.start<Workflow>(type, { args, taskQueue, workflowId, typedSearchAttributes });
  };
  return {
    client,
    taskQueue,
    start,
    execute: async (type, options) => (await start(type, options)).result(),
  };
}

/** Returns the connection of this process, which all its tests share. */
export function connectOnce(): Promise<NativeConnection> {
  return (sharedConnection ??= connect());
}

async function connect(): Promise<NativeConnection> {
  const { TEST_TEMPORAL_ADDRESS: address } = process.env;
  if (!address)
    throw new Error('TEST_TEMPORAL_ADDRESS is not set: run the tests with `npm test`, which brings a server up');
  quietTemporal();
  return NativeConnection.connect({ address });
}

/** Without a cache, every workflow task replays the history, which exposes nondeterminism. */
export function cacheOptions() {
  return { ...patient, ...(process.env.TEMPORAL_NO_CACHE === '1' && { maxCachedWorkflows: 0 }) };
}

export async function runUntilTeardown(t: ExecutionContext<unknown>, worker: Worker): Promise<void> {
  const run = worker.run();
  t.teardown(async () => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await run;
  });
}

function taskQueueOf({ title }: ExecutionContext<unknown>): string {
  const file = basename(test.meta.file, '.test.ts');
  return `test/${file}/${createHash('sha256').update(`${test.meta.file} ${title}`).digest('hex').slice(0, 16)}`;
}

const ONE_DAY = { seconds: 86_400 as never };

async function freshNamespace(connection: NativeConnection): Promise<string> {
  const namespace = `test-${randomUUID()}`;
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: ONE_DAY });
  const client = new Client({ connection, namespace });
  await eventually(async () => {
    try {
      await client.workflow.count();
      return true;
    } catch {
      return false;
    }
  });
  return namespace;
}

function attributesOf(keywords: Readonly<Record<string, string>>): TypedSearchAttributes {
  return new TypedSearchAttributes(
    Object.entries(keywords).map(([name, value]) => ({
      key: defineSearchAttributeKey(name, SearchAttributeType.KEYWORD),
      value,
    })),
  );
}
