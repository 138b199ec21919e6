import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { WorkflowClientInterceptor } from '@temporalio/client';

/**
 * Traces of a process. Only sampled work has spans: the functions that start one return undefined for the rest, so that
 * callers pay nothing for it. Attributes are ids, names and numbers, never bodies, secrets, queries or error messages.
 */
export interface Traces {
  /** Starts a trace, if the sampler selects it. */
  root(name: string, options?: SpanOptions): Span | undefined;
  /** Starts a trace for work on behalf of several traces, and links to them. Undefined without any. */
  batch(name: string, links: readonly Span[], options?: SpanOptions): Span | undefined;
  /** Continues a trace. Undefined without a parent. */
  child(name: string, parent: TraceParent | null | undefined, options?: SpanOptions): Span | undefined;
  /** Returns the span that the current code runs in. */
  active(): TraceParent | undefined;
  /** Runs `act` in a span. Without one, runs it as it is. */
  within<Result>(parent: TraceParent | null | undefined, act: () => Result): Result;
  /** Optional. Omitted if tracing is off. */
  readonly temporal?: TemporalTraces;
  counts(): TraceCounts;
  /** Exports the spans that wait, for a limited time. */
  stop(): Promise<void>;
}

/** A span as the W3C header `traceparent`. Only sampled spans have one. */
export type TraceParent = Pick<Span, 'traceParent'>;

export interface Span {
  readonly traceId: string;
  readonly traceParent: string;
  link(other: TraceParent): void;
  end(ending?: SpanEnding): void;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface SpanOptions {
  /** Optional. Default: internal. */
  readonly kind?: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
  readonly links?: readonly TraceParent[];
  /** Optional. Default: now. */
  readonly startedAtMs?: number;
}

export interface SpanEnding {
  /** Optional. Replaces the name, for example once the route is known. */
  readonly name?: string | undefined;
  readonly attributes?: SpanAttributes;
  /** Optional. A code, never a message. Marks the span as failed. */
  readonly error?: string | null | undefined;
  /** Optional. Default: now. */
  readonly endedAtMs?: number;
}

export interface TraceCounts {
  readonly exported: number;
  /** Spans that the collector did not take. */
  readonly failed: number;
  /** Spans that found the queue full. */
  readonly dropped: number;
}

/** Parts for the clients and workers of the Temporal SDK. */
export interface TemporalTraces {
  readonly clientInterceptor: WorkflowClientInterceptor;
  readonly activityInterceptors: ActivityInterceptorsFactory;
  workflowEnded(ended: EndedWorkflow): void;
}

export interface EndedWorkflow {
  readonly workflowType: string;
  readonly workflowId: string;
  readonly runId: string;
  readonly traceParent: string;
  readonly startedAtMs: number;
  readonly outcome: 'completed' | 'failed' | 'continued_as_new';
}

const NONE: TraceCounts = { exported: 0, failed: 0, dropped: 0 };

/** Traces nothing. */
export const noTraces: Traces = {
  root: () => undefined,
  batch: () => undefined,
  child: () => undefined,
  active: () => undefined,
  within: (_, act) => act(),
  counts: () => NONE,
  stop: () => Promise.resolve(),
};
