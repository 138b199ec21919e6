import { hostname } from 'node:os';
import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { formatTraceParent } from '../../contract/traces/trace-parent.ts';
import type { Log } from '../log.ts';
import type { TraceSampler } from '../trace-settings.ts';
import { contextOf, createBegin, isSampled } from './begin-span.ts';
import { createBoundedExport } from './bounded-export.ts';
import { createRootContext, createSampler } from './create-sampler.ts';
import { createTemporalTraces } from './temporal-traces.ts';
import type { Traces } from './traces.ts';

export interface CreateTraces {
  readonly endpoint: string;
  readonly sampler: TraceSampler;
  readonly ratio: number;
  readonly serviceName: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly log: Log;
}

const TRACER = 'messaging-channels';
/** A stopping process must not wait longer for a collector that is away. */
const MAX_FLUSH_MS = 3_000;

/** Installs the SDK for the whole process: the interceptors of Temporal use its global context. */
export function createTraces({ endpoint, sampler, ratio, serviceName, attributes, log }: CreateTraces): Traces {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const spans = createBoundedExport({ exporter, log });
  const named = { 'service.name': serviceName, 'service.instance.id': `${hostname()}/${process.pid}` };
  const provider = new NodeTracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ ...attributes, ...named })),
    sampler: createSampler(sampler, ratio),
    spanProcessors: [spans.processor],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  provider.register({ contextManager: contexts });
  const tracer = provider.getTracer(TRACER);
  const begin = createBegin(tracer);
  const rootContext = createRootContext(sampler, ratio);
  return {
    root(name, options) {
      const selected = rootContext();
      return selected && begin(name, selected, options);
    },
    batch: (name, links, options) =>
      links.length === 0 ? undefined : begin(name, ROOT_CONTEXT, { ...options, links }),
    child(name, parent, options) {
      const parentContext = contextOf(parent);
      return parentContext && begin(name, parentContext, options);
    },
    active() {
      // Most attempts run in none. The API's own function would look for its global first.
      const current = contexts.active();
      const span = current === ROOT_CONTEXT ? undefined : trace.getSpan(current);
      return span && isSampled(span) ? { traceParent: formatTraceParent(span.spanContext()) } : undefined;
    },
    within(parent, act) {
      const parentContext = contextOf(parent);
      return parentContext ? context.with(parentContext, act) : act();
    },
    temporal: createTemporalTraces(tracer, begin),
    counts: spans.counts,
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const overdue = new Promise<void>((resolve) => (timer = setTimeout(resolve, MAX_FLUSH_MS)));
      await Promise.race([provider.shutdown().catch(() => undefined), overdue]);
      clearTimeout(timer);
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}
