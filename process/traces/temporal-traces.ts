import { type Context, context, type Span as OtelSpan, trace, type Tracer } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry-v2/lib/client/index.js';
import { OpenTelemetryActivityInboundInterceptor } from '@temporalio/interceptors-opentelemetry-v2/lib/worker/index.js';
import { WORKFLOW_TRACE_HEADER } from '../../contract/traces/trace-parent.ts';
import { type BeginSpan, contextOf } from './begin-span.ts';
import type { TemporalTraces } from './traces.ts';

/**
 * The interceptors of Temporal for calls of the client and for activities. Workflows carry the header between them
 * (`workflows/traces/carry-trace.ts`), and their spans are made here when they end, so that the sandbox needs no
 * OpenTelemetry and workflows run the same code with and without tracing.
 */
export function createTemporalTraces(tracer: Tracer, begin: BeginSpan): TemporalTraces {
  const quiet = withoutMessages(tracer);
  return {
    clientInterceptor: withinTraces(new OpenTelemetryWorkflowClientInterceptor({ tracer: quiet })),
    activityInterceptors(activity) {
      const traced = new OpenTelemetryActivityInboundInterceptor(activity, { tracer: quiet });
      return {
        inbound: {
          execute: (input, next) =>
            WORKFLOW_TRACE_HEADER in input.headers ? traced.execute(input, next) : next(input),
        },
      };
    },
    workflowEnded({ workflowType, workflowId, runId, traceParent, startedAtMs, outcome }) {
      const parent = contextOf({ traceParent });
      const attributes = { temporalWorkflowId: workflowId, run_id: runId, 'workflow.outcome': outcome };
      const span = parent && begin(`RunWorkflow:${workflowType}`, parent, { attributes, startedAtMs });
      span?.end({ error: outcome === 'failed' ? 'failed' : null });
    },
  };
}

const tracedCalls = [
  ...(['start', 'startWithDetails', 'signal', 'signalWithStart'] as const),
  ...(['startUpdate', 'startUpdateWithStart', 'cancel'] as const),
];
type Call = (input: object, next: (input: object) => Promise<unknown>) => Promise<unknown>;

/** Calls outside a trace would otherwise each begin one, and carry an empty header. */
function withinTraces(traced: OpenTelemetryWorkflowClientInterceptor): WorkflowClientInterceptor {
  const isTraced = (): boolean => trace.getActiveSpan() !== undefined;
  const calls = tracedCalls.map((name) => {
    const call = traced[name].bind(traced) as unknown as Call;
    return [name, ((input, next) => (isTraced() ? call(input, next) : next(input))) satisfies Call];
  });
  return Object.fromEntries(calls) as WorkflowClientInterceptor;
}

/** The interceptors put messages and stacks of errors into spans. They may contain a body or a secret. */
function withoutMessages(tracer: Tracer): Tracer {
  const startActiveSpan = (name: string, ...rest: unknown[]): unknown => {
    const act = rest.at(-1) as (span: OtelSpan) => unknown;
    const parent = rest.length > 2 ? (rest[1] as Context) : context.active();
    const span = tracer.startSpan(name, {}, parent);
    return context.with(trace.setSpan(parent, span), act, undefined, silenced(span));
  };
  return {
    startSpan: (...given) => tracer.startSpan(...given),
    startActiveSpan: startActiveSpan,
  };
}

function silenced(span: OtelSpan): OtelSpan {
  return new Proxy(span, {
    get(target, name) {
      if (name === 'recordException') return (error: unknown) => void span.setAttribute('error.type', nameOf(error));
      if (name === 'setStatus') return ({ code }: Parameters<OtelSpan['setStatus']>[0]) => span.setStatus({ code });
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
