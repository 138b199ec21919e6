import type { ClientOptions } from '@temporalio/client';
import type { InjectedSinks, WorkerOptions } from '@temporalio/worker';
import type { Traces } from '../process/traces/traces.ts';
import type { TraceSinks } from '../workflows/traces/carry-trace.ts';

export function tracedClient({ temporal }: Traces): Pick<ClientOptions, 'interceptors'> {
  return temporal ? { interceptors: { workflow: [temporal.clientInterceptor] } } : {};
}

export function tracedActivities({ temporal }: Traces): Pick<WorkerOptions, 'interceptors'> {
  return temporal ? { interceptors: { activity: [temporal.activityInterceptors] } } : {};
}

/** A workflow that another process traces may end on a worker without tracing. */
export function traceSinks({ temporal }: Traces): InjectedSinks<TraceSinks> {
  return {
    traces: {
      workflowEnded: {
        fn: ({ workflowType, workflowId, runId, startTime }, ended) =>
          temporal?.workflowEnded({ workflowType, workflowId, runId, startedAtMs: startTime.getTime(), ...ended }),
        callDuringReplay: false,
      },
    },
  };
}
