import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { Context } from '@temporalio/activity';
import {
  ApplicationFailure,
  defineSearchAttributeKey,
  SearchAttributeType,
  TypedSearchAttributes,
  type Workflow,
} from '@temporalio/common';
import {
  Client,
  type WorkflowClientInterceptor,
  type WorkflowHandleWithFirstExecutionRunId,
  type WorkflowResultType,
} from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { workflowBundle } from '../../../worker/workflow-bundle.ts';
import { eventually } from '../eventually.ts';
import { patient, quietTemporal } from './quiet-temporal.ts';

/**
 * Runs workflows on the real server. All tests of a process share a worker, whose activities are those of the test that
 * started the workflow. The pumps' queues have fixed names, so tests that need them get a namespace and workers of their own.
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
/** The worker below serves it. A task queue for each process, because the server is shared. */
const sharedQueue = `test/${randomUUID()}`;

let sharedConnection: Promise<NativeConnection> | undefined;
let sharedWorker: Promise<{ readonly worker: Worker; readonly end: Promise<void> }> | undefined;
/** The activities of running tests, by the ID of the workflow that the test started. */
const activitiesOf = new Map<string, FakeActivities>();

test.after.always(async () => {
  const shared = await sharedWorker;
  shared?.worker.shutdown();
  await shared?.end;
  await (await sharedConnection)?.close();
});

export async function temporalHarness(
  t: ExecutionContext<unknown>,
  fakes: FakeActivities,
  { queues }: HarnessOptions = {},
): Promise<TemporalHarness> {
  const activities = { ...dueDelivery, ...fakes };
  const { client, taskQueue } = queues
    ? await ownWorkers(t, activities, queues)
    : { client: await clientOfTest(t, activities), taskQueue: sharedQueue };
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

/** Starts workers in a namespace of the test's own. */
async function ownWorkers(
  t: ExecutionContext<unknown>,
  activities: FakeActivities,
  queues: Record<string, FakeActivities>,
) {
  const connection = await connectOnce();
  const namespace = await freshNamespace(connection);
  const common = { connection, namespace, ...cacheOptions() };
  const main = { ...common, taskQueue: sharedQueue, activities, workflowBundle: await workflowBundle() };
  await runUntilTeardown(t, await Worker.create(main));
  for (const [taskQueue, own] of Object.entries(queues)) {
    const options = { ...common, taskQueue, maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE } as const;
    await runUntilTeardown(t, await Worker.create({ ...options, activities: own }));
  }
  return { client: new Client({ connection, namespace }), taskQueue: sharedQueue };
}

/** Returns a client whose workflows get these activities from the worker of this process, and end with the test. */
async function clientOfTest(t: ExecutionContext<unknown>, activities: FakeActivities): Promise<Client> {
  await (sharedWorker ??= startSharedWorker());
  const connection = await connectOnce();
  const started = new Set<string>();
  const add = (workflowId: string): void => {
    started.add(workflowId);
    activitiesOf.set(workflowId, activities);
  };
  t.teardown(async () => {
    const { workflow } = new Client({ connection });
    // Most have completed.
    await Promise.all(
      [...started].map((id) =>
        workflow
          .getHandle(id)
          .terminate()
          .catch(() => undefined),
      ),
    );
    for (const id of started) activitiesOf.delete(id);
  });
  const calls: WorkflowClientInterceptor = {
    startWithDetails: (input, next) => (add(input.options.workflowId), next(input)),
    startUpdateWithStart: (input, next) => (add(input.workflowStartOptions.workflowId), next(input)),
  };
  return new Client({ connection, interceptors: { workflow: [calls] } });
}

async function startSharedWorker() {
  const worker = await Worker.create({
    connection: await connectOnce(),
    taskQueue: sharedQueue,
    workflowBundle: await workflowBundle(),
    activities: { default: runFake },
    ...cacheOptions(),
  });
  return { worker, end: worker.run() };
}

async function runFake(input: never): Promise<unknown> {
  const { activityType, workflowExecution } = Context.current().info;
  const { workflowId = '' } = workflowExecution ?? {};
  const activities = activitiesOf.get(workflowId) ?? activitiesOf.get(await rootOf(workflowId));
  const fake = activities?.[activityType];
  // The type that the SDK gives an activity that a worker does not have.
  if (!fake) throw ApplicationFailure.create({ message: `No fake of ${activityType}`, type: 'NotFoundError' });
  return await fake(input);
}

/** Returns the ID of the workflow that the test started, for a child of it. */
async function rootOf(workflowId: string): Promise<string> {
  const { raw } = await new Client({ connection: await connectOnce() }).workflow.getHandle(workflowId).describe();
  return raw.workflowExecutionInfo?.rootExecution?.workflowId ?? '';
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
