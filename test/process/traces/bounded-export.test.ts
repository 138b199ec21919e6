import { NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import test, { type ExecutionContext } from 'ava';
import { createBoundedExport } from '../../../process/traces/bounded-export.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

const MINUTE_MS = 60_000;
const QUEUE = 8_192;
const BATCH = 512;

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** An exporter whose answers the test gives. */
function stage(t: ExecutionContext) {
  const over = { isOver: false };
  const answers: ((result: Result) => void)[] = [];
  const clock = { nowMs: 0 };
  const log = rememberingLog();
  const exporter: SpanExporter = {
    export: (_, onResult) => (over.isOver ? onResult({ code: 0 }) : void answers.push(onResult)),
    shutdown: () => Promise.resolve(),
  };
  const { processor, counts } = createBoundedExport({ exporter, log, now: () => clock.nowMs });
  t.teardown(async () => {
    over.isOver = true;
    for (const answer of answers.splice(0)) answer({ code: 0 });
    await processor.shutdown();
  });
  const tracer = new NodeTracerProvider({ spanProcessors: [processor] }).getTracer('test');
  const end = (count: number): void => {
    for (let index = 0; index < count; index++) tracer.startSpan('one').end();
  };
  const exported = async (result: Result): Promise<void> => {
    const flushed = processor.forceFlush();
    await Promise.resolve();
    while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
    answers.shift()!(result);
    await flushed.catch(() => undefined);
  };
  return { clock, counts, end, exported, log };
}

test('spans beyond the queue are dropped and counted', (t) => {
  const { counts, end } = stage(t);
  end(QUEUE + BATCH + 1_000);
  const { dropped, exported, failed } = counts();
  t.true(dropped >= 1_000 && dropped <= 1_000 + BATCH, `${dropped} dropped`);
  t.deepEqual({ exported, failed }, { exported: 0, failed: 0 });
});

test('a failing collector causes one warning per minute', async (t) => {
  const { clock, counts, end, exported, log } = stage(t);
  const failure = { code: 1, error: Object.assign(new Error('secret answer'), { code: 503 }) };
  for (const nowMs of [0, 1_000, MINUTE_MS - 1, MINUTE_MS]) {
    clock.nowMs = nowMs;
    end(2);
    await exported(failure);
  }
  end(3);
  await exported({ code: 0 });

  t.deepEqual(counts(), { exported: 3, failed: 8, dropped: 0 });
  const warnings = log.lines.filter(({ event }) => event === 'traces.exportFailed');
  t.deepEqual(
    warnings.map(({ reason, failedCount, droppedCount }) => [reason, failedCount, droppedCount]),
    [
      ['503', 2, 0],
      ['503', 8, 0],
    ],
  );
});
