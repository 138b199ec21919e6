import {
  ContinueAsNew,
  defaultPayloadConverter,
  proxySinks,
  type Headers,
  type Sinks,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import { WORKFLOW_TRACE_HEADER } from '../../contract/traces/trace-parent.ts';

export interface TraceSinks extends Sinks {
  readonly traces: {
    workflowEnded(ended: {
      readonly traceParent: string;
      readonly outcome: 'completed' | 'failed' | 'continued_as_new';
    }): void;
  };
}

/**
 * Carries the trace of a workflow's start to its activities and next runs. Schedules nothing, awaits nothing and draws no
 * random numbers, so a workflow takes the same steps with and without a trace, and on a worker without tracing.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let carried: Headers = {};
  const withTrace = <Input extends { readonly headers: Headers }>(input: Input): Input => ({
    ...input,
    headers: { ...input.headers, ...carried },
  });
  return {
    inbound: [
      {
        execute(input, next) {
          const header = input.headers[WORKFLOW_TRACE_HEADER];
          if (header === undefined) return next(input);
          carried = { [WORKFLOW_TRACE_HEADER]: header };
          const result = next(input);
          const { traceparent } = defaultPayloadConverter.fromPayload<{ readonly traceparent?: string }>(header);
          if (traceparent !== undefined) reportEnd(result, traceparent);
          return result;
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        startChildWorkflowExecution: (input, next) => next(withTrace(input)),
        continueAsNew: (input, next) => next(withTrace(input)),
        signalWorkflow: (input, next) => next(withTrace(input)),
      },
    ],
  };
};

function reportEnd(result: Promise<unknown>, traceParent: string): void {
  const { traces } = proxySinks<TraceSinks>();
  result.then(
    () => traces.workflowEnded({ traceParent, outcome: 'completed' }),
    (error: unknown) =>
      traces.workflowEnded({ traceParent, outcome: error instanceof ContinueAsNew ? 'continued_as_new' : 'failed' }),
  );
}
