import { type Context, createContextKey, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { TraceSampler } from '../trace-settings.ts';

const SELECTED = createContextKey('selected');
const selectedRoot = ROOT_CONTEXT.setValue(SELECTED, true);

/**
 * Returns the context of a trace's first span, or undefined if the trace is not selected. With the default sampler this
 * decides, because the SDK would make ids and a span for each request before it asks its sampler. With the others the
 * sampler decides.
 */
export function createRootContext(name: TraceSampler, ratio: number): () => Context | undefined {
  if (name !== 'parentbased_traceidratio') return () => ROOT_CONTEXT;
  return () => (Math.random() < ratio ? selectedRoot : undefined);
}

/** For spans whose context is a `createRootContext`, for their children, and for batches. */
export function createSampler(name: TraceSampler, ratio: number): Sampler {
  return withBatches(namedSampler(name, ratio));
}

function namedSampler(name: TraceSampler, ratio: number): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}

/** Selects a root that was selected before, and a batch that links to a sampled trace, because the trace would otherwise lack the work on its behalf. */
function withBatches(sampler: Sampler): Sampler {
  return {
    shouldSample(...given) {
      const [parent, , , , , links] = given;
      if (parent.getValue(SELECTED) === true) return { decision: SamplingDecision.RECORD_AND_SAMPLED };
      const isBatch = !hasParent(parent) && links.some(({ context }) => context.traceFlags & TraceFlags.SAMPLED);
      return isBatch ? { decision: SamplingDecision.RECORD_AND_SAMPLED } : sampler.shouldSample(...given);
    },
    toString: () => `Batches{${sampler.toString()}}`,
  };
}

function hasParent(parent: Context): boolean {
  return trace.getSpanContext(parent) !== undefined;
}
