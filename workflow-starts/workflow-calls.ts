import { setTimeout as sleep } from 'node:timers/promises';
import { WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import {
  type SignalDefinition,
  type UpdateDefinition,
  type Workflow,
  WorkflowNotFoundError,
  type WorkflowResultType,
} from '@temporalio/common';
import { createRunStart, type RunStartDeps } from './run-start.ts';
import { isTransient, type Started } from './start-and-await.ts';
import { type StartedBy, startOptions } from './start-options.ts';
import type { StartedName, StartInputs, Workflows } from './start-row.ts';
import { workflowTable } from './workflow-table.ts';

const UPDATE_RETRY_MS = 250;

interface SignalledStart<Name extends StartedName, Args extends unknown[]> {
  readonly input: StartInputs[Name];
  readonly signal: SignalDefinition<Args>;
  readonly signalArgs: Args;
}

interface RunningSignal<Args extends unknown[]> {
  readonly deadlineMs: number;
  readonly signal: SignalDefinition<Args>;
  readonly signalArgs: Args;
}

interface UpdatedStart<Name extends StartedName, Result, Args extends unknown[]> {
  readonly input: StartInputs[Name];
  readonly update: UpdateDefinition<Result, Args>;
  readonly updateId: string;
}

interface UpdateWait<Result> {
  readonly updateDeadlineMs: number;
  /** Turns the rejection of an update into a result, and rethrows every other error. */
  readonly answerOf: (error: unknown) => Result;
}

export type WorkflowCalls = ReturnType<typeof createWorkflowCalls>;

/** Only these functions call workflows. A start takes all its options from the workflow's row. */
export function createWorkflowCalls(deps: RunStartDeps) {
  const { client, organizationOf } = deps;
  const { runStart, endWaits } = createRunStart(deps);

  function starter<Name extends StartedName>(name: Name, input: StartInputs[Name]) {
    return async () => client.workflow.start<Workflow>(name, await startOptions(name, { input, organizationOf }));
  }

  return {
    endWaits,

    start: <Name extends StartedBy<'start'>>(name: Name, input: StartInputs[Name]): Promise<Started<'started'>> =>
      runStart(name, { start: starter(name, input), finish: () => Promise.resolve('started') }),

    execute<Name extends StartedBy<'execute'>>(
      name: Name,
      input: StartInputs[Name],
    ): Promise<Started<WorkflowResultType<Workflows[Name]>>> {
      const { resultDeadlineMs } = workflowTable[name];
      const finish = (handle: WorkflowHandle) =>
        client.withDeadline(Date.now() + resultDeadlineMs, () => handle.result());
      return runStart(name, { start: starter(name, input), finish });
    },

    signalWithStart<Name extends StartedBy<'signalWithStart'>, Args extends unknown[]>(
      name: Name,
      { input, signal, signalArgs }: SignalledStart<Name, Args>,
    ): Promise<Started<'signalled'>> {
      // Passed by name, because the SDK's type of `signalArgs` does not accept a type parameter.
      const start = async () => {
        const options = await startOptions(name, { input, organizationOf });
        return await client.workflow.signalWithStart<Workflow, unknown[]>(name, {
          ...options,
          signal: signal.name,
          signalArgs,
        });
      };
      return runStart(name, { start, finish: () => Promise.resolve('signalled') });
    },

    /** Starts a workflow if none runs and updates it, in one call, so that a run cannot end between the two. */
    updateWithStart<Name extends StartedBy<'updateWithStart'>, Result, Args extends [unknown, ...unknown[]]>(
      name: Name,
      { input, update, updateId, args }: UpdatedStart<Name, Result, Args> & { readonly args: Args },
    ): Promise<Started<Result>> {
      const start = async () => {
        const startWorkflowOperation = new WithStartWorkflowOperation<Workflow>(name, {
          ...(await startOptions(name, { input, organizationOf })),
          ...workflowTable[name].policy, // with its literal type: the SDK requires a conflict policy
        });
        return await client.workflow.executeUpdateWithStart(update, { args, updateId, startWorkflowOperation });
      };
      return runStart(name, { start, finish: (result) => Promise.resolve(result) });
    },

    /**
     * Starts a workflow if none runs and then updates it, in two calls. If the start fails, the update is known
     * not to have been taken; a single call cannot tell after it has lost its connection. The update reaches the current
     * run: after a continue-as-new or a reset, the handle of the start would reach none.
     */
    startThenUpdate<Name extends StartedBy<'start'>, Result>(
      name: Name,
      { input, update, updateId, updateDeadlineMs, answerOf }: UpdatedStart<Name, Result, []> & UpdateWait<Result>,
    ): Promise<Started<Result>> {
      const finish = ({ workflowId }: WorkflowHandle) =>
        retryUntilAccepted(Date.now() + updateDeadlineMs, (deadlineAtMs) =>
          client.withDeadline(deadlineAtMs, () =>
            client.workflow.getHandle(workflowId).executeUpdate(update, { updateId }),
          ),
        ).catch(answerOf);
      return runStart(name, { start: starter(name, input), finish });
    },

    /** Starts no workflow. Returns false if it does not run, and throws if Temporal does not answer in time. */
    signalRunning: <Args extends unknown[]>(
      workflowId: string,
      { deadlineMs, signal, signalArgs }: RunningSignal<Args>,
    ): Promise<boolean> =>
      client
        .withDeadline(Date.now() + deadlineMs, () =>
          client.workflow.getHandle(workflowId).signal(signal, ...signalArgs),
        )
        .then(() => true)
        .catch((error: unknown) => {
          if (error instanceof WorkflowNotFoundError) return false;
          throw error;
        }),

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
