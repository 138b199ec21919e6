import test from 'ava';
import pg from 'pg';
import { createOutcomeBatcher } from '../../../../activities/pump/outcomes/outcome-batcher.ts';
import { rememberingLog } from '../../../harness/quiet-log.ts';

function heldWrites() {
  const writes: { readonly outcomes: readonly number[]; readonly end: (error?: Error) => void }[] = [];
  let onWrite: (() => void) | undefined;
  return {
    writes,
    write: (outcomes: readonly number[]) =>
      new Promise<void>((resolve, reject) => {
        writes.push({ outcomes, end: (error) => (error ? reject(error) : resolve()) });
        onWrite?.();
      }),
    async until(count: number): Promise<void> {
      while (writes.length < count) await new Promise<void>((resolve) => (onWrite = resolve));
    },
  };
}

const asIs = (outcome: number): number => outcome;

test('outcomes that arrive during a write are written with the next', async (t) => {
  const { write, writes, until } = heldWrites();
  const batcher = createOutcomeBatcher({ write, salvage: asIs, log: rememberingLog() });
  batcher.add(1);
  batcher.add(2);
  await until(1);
  batcher.add(3);
  batcher.add(4);
  t.deepEqual(writes[0]!.outcomes, [1, 2]);
  t.is(writes.length, 1);
  writes[0]!.end();
  await until(2);
  t.deepEqual(writes[1]!.outcomes, [3, 4]);
  writes[1]!.end();
  await batcher.idle();
  t.is(writes.length, 2);
});

const LONG_MS = 1_000_000;

test('a batch waits for the given number of outcomes', async (t) => {
  const { write, writes, until } = heldWrites();
  const gather = { count: 3, maxWaitMs: LONG_MS };
  const batcher = createOutcomeBatcher({ write, salvage: asIs, gather, log: rememberingLog() });
  batcher.add(1);
  batcher.add(2);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  t.is(writes.length, 0);
  batcher.add(3);
  await until(1);
  t.deepEqual(writes[0]!.outcomes, [1, 2, 3]);
  writes[0]!.end();
  await batcher.idle();
});

test('an urgent outcome ends the wait for more', async (t) => {
  const { write, writes, until } = heldWrites();
  const gather = { count: 3, maxWaitMs: LONG_MS };
  const batcher = createOutcomeBatcher({ write, salvage: asIs, gather, log: rememberingLog() });
  batcher.add(1);
  batcher.add(2, true);
  await until(1);
  batcher.add(3, true);
  writes[0]!.end();
  await until(2);
  writes[1]!.end();
  await batcher.idle();
  t.deepEqual(
    writes.map(({ outcomes }) => outcomes),
    [[1, 2], [3]],
  );
});

test('a batch is written after its longest wait', async (t) => {
  const written: number[] = [];
  const batcher = createOutcomeBatcher<number>({
    write: (outcomes) => Promise.resolve(void written.push(...outcomes)),
    salvage: asIs,
    gather: { count: 3, maxWaitMs: 1 },
    log: rememberingLog(),
  });
  batcher.add(1);
  await batcher.idle();
  t.deepEqual(written, [1]);
});

test('an abandoned batcher stops waiting for more', async (t) => {
  const { write, writes } = heldWrites();
  const gather = { count: 3, maxWaitMs: LONG_MS };
  const batcher = createOutcomeBatcher({ write, salvage: asIs, gather, log: rememberingLog() });
  batcher.add(1);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  batcher.abandon();
  await batcher.idle();
  t.is(writes.length, 0);
});

test('a failed write is retried until it succeeds', async (t) => {
  const attempts: number[][] = [];
  const log = rememberingLog();
  const batcher = createOutcomeBatcher<number>({
    write: (outcomes) => {
      attempts.push([...outcomes]);
      return attempts.length < 3 ? Promise.reject(new Error('database unreachable')) : Promise.resolve();
    },
    salvage: (outcome) => -outcome,
    log,
  });
  batcher.add(1);
  await batcher.idle();
  t.deepEqual(attempts, [[1], [1], [1]]);
  t.is(log.lines.filter(({ level }) => level === 'error').length, 2);
});

test('outcomes with rejected contents are salvaged', async (t) => {
  const written: string[] = [];
  const batcher = createOutcomeBatcher<string>({
    write: (outcomes) => {
      if (outcomes.includes('poison')) {
        return Promise.reject(Object.assign(new Error('invalid byte sequence'), { code: '22021' }));
      }
      written.push(...outcomes);
      return Promise.resolve();
    },
    salvage: (outcome) => (outcome === 'poison' ? 'rest' : outcome),
    log: rememberingLog(),
  });
  batcher.add('good');
  batcher.add('poison');
  await batcher.idle();
  batcher.add('later');
  await batcher.idle();
  t.deepEqual(written, ['good', 'rest', 'later']);
});

test('an outcome that is always rejected blocks no others', async (t) => {
  const written: number[] = [];
  const batcher = createOutcomeBatcher<number>({
    write: (outcomes) => {
      if (outcomes.includes(3)) return Promise.reject(Object.assign(new Error('no partition'), { code: '23514' }));
      return Promise.resolve(void written.push(...outcomes));
    },
    salvage: asIs,
    log: rememberingLog(),
  });
  for (const outcome of [1, 2, 3, 4, 5]) batcher.add(outcome);
  await batcher.idle();
  t.deepEqual(written, [1, 2, 4, 5]);
  batcher.abandon();
});

test('only rejected outcomes lose their contents', async (t) => {
  const written: string[] = [];
  const batcher = createOutcomeBatcher<string>({
    write: (outcomes) =>
      outcomes.includes('poison')
        ? Promise.reject(Object.assign(new Error('invalid byte sequence'), { code: '22021' }))
        : Promise.resolve(void written.push(...outcomes)),
    salvage: (outcome) => (outcome === 'poison' ? 'rest' : `${outcome} without its answer`),
    log: rememberingLog(),
  });
  for (const outcome of ['first', 'poison', 'last']) batcher.add(outcome);
  await batcher.idle();
  t.deepEqual(written, ['first', 'rest', 'last']);
});

test('a long queue is written in batches and in order', async (t) => {
  const batches: number[][] = [];
  const batcher = createOutcomeBatcher<number>({
    write: (outcomes) => Promise.resolve(void batches.push([...outcomes])),
    salvage: asIs,
    log: rememberingLog(),
  });
  const all = Array.from({ length: 1_234 }, (_, index) => index);
  for (const outcome of all) batcher.add(outcome);
  await batcher.idle();
  t.deepEqual(batches.flat(), all);
  t.true(batches.every(({ length }) => length <= 500));
});

test('batches are bounded by their attempts', async (t) => {
  const batches: number[][] = [];
  const batcher = createOutcomeBatcher<number>({
    write: (outcomes) => Promise.resolve(void batches.push([...outcomes])),
    salvage: asIs,
    countOf: (outcome) => outcome,
    gather: { count: 1_000, maxWaitMs: LONG_MS },
    log: rememberingLog(),
  });
  for (const outcome of [100, 400, 1, 600, 250, 250]) batcher.add(outcome);
  await batcher.idle();
  t.deepEqual(batches, [[100, 400], [1], [600], [250, 250]]);
});

test('a write that takes too long is repeated by halves', async (t) => {
  const written: number[][] = [];
  let timeoutCount = 0;
  const batcher = createOutcomeBatcher<number>({
    write: (outcomes) => {
      if (outcomes.length <= 2 && timeoutCount >= 3) return Promise.resolve(void written.push([...outcomes]));
      timeoutCount++;
      return Promise.reject(Object.assign(new pg.DatabaseError('statement timeout', 0, 'error'), { code: '57014' }));
    },
    salvage: (outcome) => -outcome,
    log: rememberingLog(),
  });
  for (const outcome of [1, 2, 3, 4, 5]) batcher.add(outcome);
  await batcher.idle();
  t.deepEqual(written, [[1], [2], [3], [4, 5]]);
});

test('an abandoned batcher neither retries nor writes', async (t) => {
  const { write, writes, until } = heldWrites();
  const batcher = createOutcomeBatcher({ write, salvage: asIs, log: rememberingLog() });
  batcher.add(1);
  await until(1);
  batcher.add(2);
  batcher.abandon();
  writes[0]!.end(new Error('database unreachable'));
  await batcher.idle();
  t.is(writes.length, 1);
});

test('a batcher without outcomes is idle', async (t) => {
  await createOutcomeBatcher({
    write: () => Promise.reject(new Error('none')),
    salvage: asIs,
    log: rememberingLog(),
  }).idle();
  t.pass();
});
