import type { Client } from '@temporalio/client';
import type { ApiMeter } from '../metrics/api-metrics.ts';
import { createPendingCalls } from './pending-calls.ts';
import { startAndAwait, type Started } from './start-and-await.ts';
import { type OrganizationOf, startDeadlineMs } from './start-options.ts';
import type { StartedName } from './start-row.ts';

export interface RunStartDeps {
  /** Its connection must not retry calls, because the outcome of a retried call is never certain. */
  readonly client: Client;
  /** Optional. Lets operators search by organization. Default: not searchable. */
  readonly organizationOf?: OrganizationOf | undefined;
  readonly meter?: Pick<ApiMeter, 'workflowStarted'> | undefined;
}

export interface StartSteps<Handle, Result> {
  readonly start: () => Promise<Handle>;
  readonly finish: (handle: Handle) => Promise<Result>;
}

/** Applies the deadline of the workflow's row, counts the outcome, and never rejects because of Temporal. */
export function createRunStart({ client, meter }: RunStartDeps) {
  const pending = createPendingCalls();
  return {
    async runStart<Handle, Result>(
      name: StartedName,
      { start, finish }: StartSteps<Handle, Result>,
    ): Promise<Started<Result>> {
      const startInTime = () => client.withDeadline(Date.now() + startDeadlineMs(name), start);
      const outcome = await pending.run(() => startAndAwait(startInTime, finish));
      meter?.workflowStarted(name, outcome.state);
      return outcome;
    },

    /** Answers all waiting callers and starts nothing afterwards. */
    endWaits: (): void => pending.end(),
  };
}
