import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import {
  defineSearchAttributeKey,
  SearchAttributeType,
  type SignalDefinition,
  TypedSearchAttributes,
  type UpdateDefinition,
  type Workflow,
  type WorkflowResultType,
} from '@temporalio/common';
import { searchAttributes } from '../contract/search-attributes.ts';
import { taskQueues } from '../contract/task-queues.ts';
import type { ApiMeter } from '../metrics/api-metrics.ts';
import {
  type AwaitedType,
  type StartContext,
  startedType,
  type StartedType,
  type StartInput,
  type Workflows,
  workflowTypes,
} from '../workflows/workflow-types.ts';
import { isTransient, silenceOf, startAndAwait, type Started } from './start-and-await.ts';

/** Default deadline of a start. A worker must not hang while Temporal is down. */
export const CALL_DEADLINE_MS = 5_000;
const UPDATE_RETRY_MS = 250;
/** Of random text in an id. */
const TOKEN_BYTES = 12;

/** Returns the public id of the organization to which a workspace, or something else with a public id, belongs. */
export type OrganizationOf = (id: string) => Promise<string | undefined>;

export interface WorkflowCallsDeps extends Omit<StartContext, 'token'> {
  /** Its connection must not retry calls, because the outcome of a retried call is never certain. */
  readonly client: Client;
  /** Optional. Lets operators search by organization. Default: not searchable. */
  readonly organizationOf?: OrganizationOf | undefined;
  readonly meter?: Pick<ApiMeter, 'workflowStarted'> | undefined;
  /**
   * Optional. Whether the server must answer a question before each start: a start that is sent to a silent server has no
   * certain outcome. Default: false.
   */
  readonly asksFirst?: boolean | undefined;
}

interface Signalled<Name extends StartedType, Args extends unknown[]> {
  readonly input: StartInput<Name>;
  readonly signal: SignalDefinition<Args>;
  readonly signalArgs: Args;
}

interface Updated<Name extends StartedType, Result, Args extends unknown[]> {
  readonly input: StartInput<Name>;
  readonly update: UpdateDefinition<Result, Args>;
  readonly updateId: string;
}

interface UpdateWait<Result> {
  readonly updateDeadlineMs: number;
  /** Turns the rejection of an update into a result, and rethrows every other error. */
  readonly answerOf: (error: unknown) => Result;
}

export type WorkflowCalls = ReturnType<typeof createWorkflowCalls>;

/**
 * Only these functions call workflows. A start takes all its options from the row of its type, never rejects because of
 * Temporal, and is counted by its outcome.
 */
export function createWorkflowCalls(deps: WorkflowCallsDeps) {
  const { client, meter, asksFirst = false } = deps;
  const pending = createPendingCalls();
  let asking: Promise<Error | undefined> | undefined;

  async function run<Handle, Result>(
    name: StartedType,
    start: () => Promise<Handle>,
    finish: (handle: Handle) => Promise<Result>,
  ): Promise<Started<Result>> {
    const deadlineMs = startedType(name).deadlineMs ?? CALL_DEADLINE_MS;
    const startInTime = () => client.withDeadline(Date.now() + deadlineMs, start);
    const cause = asksFirst ? await askServer() : undefined;
    const outcome: Started<Result> = cause
      ? { state: 'not_started', cause }
      : await pending.run(() => startAndAwait(startInTime, finish));
    meter?.workflowStarted(name, outcome.state);
    return outcome;
  }

  async function askServer(): Promise<Error | undefined> {
    asking ??= silenceOf(client.connection).finally(() => (asking = undefined));
    return await asking;
  }

  function starter<Name extends StartedType>(name: Name, input: StartInput<Name>) {
    return async () => client.workflow.start<Workflow>(name, await startOptions(name, input, deps));
  }

  return {
    /** Answers all waiting callers and starts nothing afterwards. */
    endWaits: (): void => pending.end(),

    start: <Name extends StartedType>(name: Name, input: StartInput<Name>): Promise<Started<'started'>> =>
      run(name, starter(name, input), () => Promise.resolve('started')),

    execute<Name extends AwaitedType>(
      name: Name,
      input: StartInput<Name>,
    ): Promise<Started<WorkflowResultType<Workflows[Name]>>> {
      const { resultDeadlineMs } = workflowTypes[name];
      return run(name, starter(name, input), (handle: WorkflowHandle) =>
        client.withDeadline(Date.now() + resultDeadlineMs, () => handle.result()),
      );
    },

    signalWithStart<Name extends StartedType, Args extends unknown[]>(
      name: Name,
      { input, signal, signalArgs }: Signalled<Name, Args>,
    ): Promise<Started<'signalled'>> {
      // Passed by name, because the SDK's type of `signalArgs` does not accept a type parameter.
      const start = async () => {
        const options = await startOptions(name, input, deps);
        return await client.workflow.signalWithStart<Workflow, unknown[]>(name, {
          ...options,
          signal: signal.name,
          signalArgs,
        });
      };
      return run(name, start, () => Promise.resolve('signalled'));
    },

    /** Starts a workflow if none runs and updates it, in one call, so that a run cannot end between the two. */
    updateWithStart<Name extends 'rotateToken', Result, Args extends [unknown, ...unknown[]]>(
      name: Name,
      { input, update, updateId, args }: Updated<Name, Result, Args> & { readonly args: Args },
    ): Promise<Started<Result>> {
      const start = async () => {
        const startWorkflowOperation = new WithStartWorkflowOperation<Workflow>(name, {
          ...(await startOptions(name, input, deps)),
          ...workflowTypes[name].policy, // with its literal type: the SDK requires a conflict policy
        });
        return await client.workflow.executeUpdateWithStart(update, { args, updateId, startWorkflowOperation });
      };
      return run(name, start, (result) => Promise.resolve(result));
    },

    /**
     * Starts a workflow if none runs and then updates it, in two calls. If the start fails, the update is known
     * not to have been taken; a single call cannot tell after it has lost its connection. The update reaches the current
     * run: after a continue-as-new or a reset, the handle of the start would reach none.
     */
    startThenUpdate<Name extends StartedType, Result>(
      name: Name,
      { input, update, updateId, updateDeadlineMs, answerOf }: Updated<Name, Result, []> & UpdateWait<Result>,
    ): Promise<Started<Result>> {
      const finish = ({ workflowId }: WorkflowHandle) =>
        retryUntilAccepted(Date.now() + updateDeadlineMs, (deadlineAtMs) =>
          client.withDeadline(deadlineAtMs, () =>
            client.workflow.getHandle(workflowId).executeUpdate(update, { updateId }),
          ),
        ).catch(answerOf);
      return run(name, starter(name, input), finish);
    },

    /** Starts no workflow. Returns undefined if it cannot be reached in time. */
    reach: <Result>(
      workflowId: string,
      { deadlineMs, call }: { readonly deadlineMs: number; readonly call: (handle: WorkflowHandle) => Promise<Result> },
    ): Promise<Result | undefined> =>
      client
        .withDeadline(Date.now() + deadlineMs, () => call(client.workflow.getHandle(workflowId)))
        .catch(() => undefined),
  };
}

/** The options of a start, from the row of its type. */
export async function startOptions<Name extends StartedType>(
  name: Name,
  input: StartInput<Name>,
  { organizationOf, retryScheduleMs, pollScheduleMs, probeDelaysMs }: Omit<WorkflowCallsDeps, 'client' | 'meter'>,
) {
  const { behavior, policy, start } = startedType(name);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const context = { retryScheduleMs, pollScheduleMs, probeDelaysMs, token };
  const { workflowId, args, summary, subjectId, keywords: own, executionTimeout } = start(input, context);
  const timeout = executionTimeout ?? (behavior === 'PINNED' ? '60s' : undefined);
  const keywords = await withOrganization(own, { subjectId, organizationOf });
  return {
    taskQueue: taskQueues.main,
    workflowId,
    ...policy,
    ...(timeout && { workflowExecutionTimeout: timeout }),
    args,
    staticSummary: summary,
    ...(keywords && { typedSearchAttributes: keywordAttributes(keywords) }),
  };
}

type Keywords = Readonly<Record<string, string>>;

/** A workflow starts without the attribute while the database does not answer. */
async function withOrganization(
  keywords: Keywords | undefined,
  {
    subjectId,
    organizationOf,
  }: { readonly subjectId: string | undefined; readonly organizationOf: OrganizationOf | undefined },
): Promise<Keywords | undefined> {
  const id = subjectId ?? keywords?.[searchAttributes.workspace];
  if (id === undefined) return keywords;
  const organizationId = await organizationOf?.(id).catch(() => undefined);
  return organizationId === undefined ? keywords : { [searchAttributes.organization]: organizationId, ...keywords };
}

function keywordAttributes(keywords: Keywords): TypedSearchAttributes {
  return new TypedSearchAttributes(
    Object.entries(keywords).map(([name, value]) => ({
      key: defineSearchAttributeKey(name, SearchAttributeType.KEYWORD),
      value,
    })),
  );
}

/**
 * Repeats an update that the server did not take: the workflow has its maximum of updates in flight or is moving to
 * another worker. The update id deduplicates an update that was taken after all.
 */
async function retryUntilAccepted<Result>(
  deadlineAtMs: number,
  update: (deadlineAtMs: number) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await update(deadlineAtMs);
    } catch (error) {
      if (!isTransient(error) || Date.now() + UPDATE_RETRY_MS > deadlineAtMs) throw error;
    }
    await sleep(UPDATE_RETRY_MS);
  }
}

interface PendingCalls {
  run<Result>(call: () => Promise<Started<Result>>): Promise<Started<Result>>;
  /** Answers all pending calls with `unknown` and every later call with `not_started`. */
  end(): void;
}

/**
 * Creates a set of pending calls that a stopping process can answer early. An answered call continues without its
 * caller, so its outcome is unknown, as after a timeout. Closing the connection would leave the client without a
 * response.
 */
export function createPendingCalls(): PendingCalls {
  const pending = new Set<() => void>();
  let hasEnded = false;

  return {
    async run<Result>(call: () => Promise<Started<Result>>) {
      if (hasEnded) return { state: 'not_started', cause: stopping() };
      const { promise: ended, resolve } = Promise.withResolvers<Started<Result>>();
      const end = (): void => resolve({ state: 'unknown', cause: stopping() });
      pending.add(end);
      try {
        return await Promise.race([call(), ended]);
      } finally {
        pending.delete(end);
      }
    },
    end() {
      hasEnded = true;
      for (const end of pending) end();
    },
  };
}

const stopping = (): Error => new Error('The process is stopping');
