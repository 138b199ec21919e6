import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace-node';
import test from 'ava';
import { createRootContext, createSampler } from '../../../process/traces/create-sampler.ts';
import type { TraceSampler } from '../../../process/trace-settings.ts';

const traceId = 'f'.repeat(32);
const address = { traceId, spanId: 'a'.repeat(16), isRemote: true };
const sampled = { ...address, traceFlags: TraceFlags.SAMPLED };
const unsampled = { ...address, traceFlags: TraceFlags.NONE };

function decide(
  name: TraceSampler,
  { parent, links = [], ratio = 0 }: { parent?: typeof sampled; links?: (typeof sampled)[]; ratio?: number } = {},
) {
  const root = links.length > 0 ? ROOT_CONTEXT : createRootContext(name, ratio)();
  const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : root;
  if (!context) return false;
  const given = links.map((link) => ({ context: link }));
  const sampler = createSampler(name, ratio);
  const { decision } = sampler.shouldSample(context, traceId, 'one', SpanKind.INTERNAL, {}, given);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

test('each sampler decides by its standard rule', (t) => {
  const rootsOf = (names: readonly TraceSampler[]) => names.map((name) => decide(name));
  t.deepEqual(rootsOf(['always_on', 'parentbased_always_on']), [true, true]);
  t.deepEqual(rootsOf(['always_off', 'parentbased_always_off', 'traceidratio']), [false, false, false]);
  t.true(decide('parentbased_traceidratio', { parent: sampled }));
  t.false(decide('parentbased_always_on', { parent: unsampled }));
  t.false(decide('traceidratio', { parent: sampled }));
});

test('a batch is sampled with any trace that it links to', (t) => {
  t.true(decide('parentbased_traceidratio', { links: [unsampled, sampled] }));
  t.false(decide('parentbased_traceidratio', { links: [unsampled] }));
  t.false(decide('parentbased_traceidratio', { parent: unsampled, links: [sampled] }));
});

test('a ratio selects its share of the requests', (t) => {
  const count = 20_000;
  for (const name of ['parentbased_traceidratio', 'traceidratio'] as const) {
    t.true(decide(name, { ratio: 1 }), name);
    t.false(decide(name, { ratio: 0 }), name);
  }
  const select = createRootContext('parentbased_traceidratio', 0.25);
  const selected = Array.from({ length: count }, select).filter((context) => context !== undefined);
  t.true(Math.abs(selected.length / count - 0.25) < 0.05, String(selected.length));
});
