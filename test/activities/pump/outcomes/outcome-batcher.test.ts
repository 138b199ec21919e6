import test from 'ava';
import pg from 'pg';
import {
  createOutcomeBatcher as createBatcher,
  type OutcomeBatcherOptions,
} from '../../../../activities/pump/outcomes/outcome-batcher.ts';
import { rememberingLog } from '../../../harness/quiet-log.ts';
import { pluck } from '../../../harness/pluck.ts';

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

const databaseError = (code: string): Error => Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code });

type Options<Outcome> = Partial<Omit<OutcomeBatcherOptions<Outcome>, 'write'>> & {
  /** Returns the outcomes of locked destinations, if there are any. */
  readonly write: (
    outcomes: readonly Outcome[],
    how: { readonly waits: boolean },
  ) => Promise<void | readonly Outcome[]>;
};

/** By default, contents are not salvaged. */
function createOutcomeBatcher<Outcome>({ write, ...options }: Options<Outcome>) {
  return createBatcher<Outcome>({
    onRefused: () => Promise.resolve(),
    salvage: (outcome) => outcome,
    log: rememberingLog(),
    ...options,
    write: async (outcomes, how) => (await write(outcomes, how)) ?? [],
  });
}

/** Keeps the batches that were written. */
function batching(options: Partial<OutcomeBatcherOptions<number>> = {}) {
  const batches: number[][] = [];
  const write = async (outcomes: readonly number[]) => void batches.push([...outcomes]);
  const batcher = createOutcomeBatcher<number>({ ...options, write });
  const written = async (outcomes: readonly number[]) => {
    for (const outcome of outcomes) batcher.add(outcome);
    await batcher.idle();
    return batches;
  };
  return { written };
}

test('outcomes that arrive during a write are written with the next', async (t) => {
  const { write, writes, until } = heldWrites();
  const batcher = createOutcomeBatcher({ write });
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

/** The first outcome is written at once, and those that follow it wait. */
async function filledBatcher(waitMs: number) {
  const { write, writes, until } = heldWrites();
  const batcher = createOutcomeBatcher({ write, fill: { count: 3, waitMs } });
  batcher.add(0);
  await until(1);
  writes[0]!.end();
  await batcher.idle();
  return { batcher, writes, until };
}

const turns = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('an outcome that nothing preceded is written at once', async (t) => {
  const { writes } = await filledBatcher(LONG_MS);
  t.deepEqual(pluck(writes, 'outcomes'), [[0]]);
});

test('a batch waits for the given number of outcomes', async (t) => {
  const { batcher, writes, until } = await filledBatcher(LONG_MS);
  batcher.add(1);
  batcher.add(2);
  await turns();
  t.is(writes.length, 1);
  batcher.add(3);
  await until(2);
  t.deepEqual(writes[1]!.outcomes, [1, 2, 3]);
  writes[1]!.end();
  await batcher.idle();
});

test('a batch is written after its longest wait', async (t) => {
  const { batcher, writes, until } = await filledBatcher(20);
  batcher.add(1);
  await until(2);
  writes[1]!.end();
  await batcher.idle();
  t.deepEqual(pluck(writes, 'outcomes'), [[0], [1]]);
});

test('an abandoned batcher stops waiting for more', async (t) => {
  const { batcher, writes } = await filledBatcher(LONG_MS);
  batcher.add(1);
  await turns();
  batcher.abandon();
  await batcher.idle();
  t.is(writes.length, 1);
});

test('a failed write is retried until it succeeds', async (t) => {
  const attempts: number[][] = [];
  const log = rememberingLog();
  const write = async (outcomes: readonly number[]) => {
    attempts.push([...outcomes]);
    if (attempts.length < 3) throw new Error('Connection terminated');
  };
  const batcher = createOutcomeBatcher<number>({ write, salvage: (outcome) => -outcome, log });
  batcher.add(1);
  await batcher.idle();
  t.deepEqual(attempts, [[1], [1], [1]]);
  t.is(log.lines.filter(({ level }) => level === 'error').length, 2);
});

test('refused outcomes block no others and are written once the reason ends', async (t) => {
  const written: string[] = [];
  const { promise: wroteAgain, resolve } = Promise.withResolvers<void>();
  const reports: (readonly string[])[] = [];
  let isRefusing = true;
  const log = rememberingLog();
  const batcher = createOutcomeBatcher<string>({
    write(outcomes) {
      if (isRefusing && outcomes.some((outcome) => outcome.startsWith('poison'))) {
        return Promise.reject(databaseError('22003'));
      }
      written.push(...outcomes);
      if (!isRefusing) resolve();
      return Promise.resolve();
    },
    salvage: (outcome) => `${outcome} without its answer`,
    onRefused(outcomes) {
      reports.push([...outcomes]);
      if (reports.length === 3) isRefusing = false;
      return Promise.resolve();
    },
    refusedRetryMs: 1,
    log,
  });
  for (const outcome of ['1', 'poison 2', '3', '4', 'poison 5']) batcher.add(outcome);
  await batcher.idle();
  t.deepEqual(written, ['1', '3', '4']);
  batcher.add('6');
  await batcher.idle();
  await wroteAgain;
  t.deepEqual(written, ['1', '3', '4', '6', 'poison 2', 'poison 5'], 'with their answers');
  t.deepEqual(reports[0], ['poison 2', 'poison 5']);
  t.is(log.lines.filter(({ event }) => event === 'settlement.recordFailed').length, 3);
  t.is(log.lines.filter(({ event }) => event === 'settlement.writeFailed').length, 1);
});

for (const [reason, error] of [
  ['damaged', databaseError('XX001')],
  ['too slow', databaseError('57014')],
  ['a fault of the program', new TypeError('x is not a function')],
] as const) {
  test(`an outcome that is ${reason} is set apart with its answer`, async (t) => {
    const written: string[][] = [];
    const { promise: refusedTwice, resolve } = Promise.withResolvers<readonly string[]>();
    const batcher = createOutcomeBatcher<string>({
      write(outcomes) {
        written.push([...outcomes]);
        return outcomes.includes('poison') ? Promise.reject(error) : Promise.resolve();
      },
      salvage: (outcome) => `${outcome} without its answer`,
      onRefused: (outcomes) => Promise.resolve(resolve(outcomes)),
      refusedRetryMs: 1,
    });
    batcher.add('poison');
    batcher.add('good');
    await batcher.idle();
    t.deepEqual(written.slice(0, 3), [['poison', 'good'], ['poison'], ['good']]);
    t.deepEqual(await refusedTwice, ['poison']);
    batcher.abandon();
  });
}

test('an outcome that is refused once is not reported', async (t) => {
  let writeCount = 0;
  const { promise: taken, resolve } = Promise.withResolvers<void>();
  const batcher = createOutcomeBatcher<number>({
    write: () => (writeCount++ === 0 ? Promise.reject(databaseError('XX000')) : Promise.resolve(resolve())),
    onRefused: () => Promise.resolve(t.fail()),
    refusedRetryMs: 1,
  });
  batcher.add(1);
  await taken;
  t.is(writeCount, 2);
});

test('a report that fails stops no retries', async (t) => {
  let writeCount = 0;
  const log = rememberingLog();
  const { promise: taken, resolve } = Promise.withResolvers<void>();
  const batcher = createOutcomeBatcher<number>({
    write: () => (writeCount++ < 3 ? Promise.reject(databaseError('XX000')) : Promise.resolve(resolve())),
    onRefused: () => Promise.reject(new Error('away')),
    refusedRetryMs: 1,
    log,
  });
  batcher.add(1);
  await taken;
  t.true(log.lines.some(({ event }) => event === 'settlement.markFailed'));
});

test('only rejected outcomes lose their contents', async (t) => {
  const written: string[] = [];
  const batcher = createOutcomeBatcher<string>({
    write: async (outcomes) => {
      if (outcomes.includes('poison')) throw Object.assign(new Error('invalid byte sequence'), { code: '22021' });
      written.push(...outcomes);
    },
    salvage: (outcome) => (outcome === 'poison' ? 'rest' : `${outcome} without its answer`),
  });
  for (const outcome of ['first', 'poison', 'last']) batcher.add(outcome);
  await batcher.idle();
  batcher.add('later');
  await batcher.idle();
  t.deepEqual(written, ['first', 'rest', 'last', 'later']);
});

test('a long queue is written in batches and in order', async (t) => {
  const all = Array.from({ length: 1_234 }, (_, index) => index);
  const batches = await batching().written(all);
  t.deepEqual(batches.flat(), all);
  t.true(batches.every(({ length }) => length <= 500));
});

test('batches are bounded by their attempts', async (t) => {
  const { written } = batching({ countOf: (outcome) => outcome, fill: { count: 1_000, waitMs: LONG_MS } });
  t.deepEqual(await written([100, 400, 1, 600, 250, 250]), [[100, 400], [1], [600], [250, 250]]);
});

test('outcomes of a locked destination wait and delay no others', async (t) => {
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  const written: number[][] = [];
  const batcher = createOutcomeBatcher<number>({
    async write(outcomes, { waits }) {
      if (waits) await unlocked;
      const locked = waits ? [] : outcomes.filter((outcome) => outcome >= 10);
      const free = outcomes.filter((outcome) => !locked.includes(outcome));
      if (free.length > 0) written.push(free);
      return locked;
    },
    onRefused: () => Promise.resolve(t.fail()),
  });
  for (const outcome of [1, 10, 2, 11]) batcher.add(outcome);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  t.deepEqual(written, [[1, 2]]);
  for (const outcome of [3, 12, 13]) batcher.add(outcome);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  t.deepEqual(written, [[1, 2], [3]]);
  unlock();
  await batcher.idle();
  t.deepEqual(written, [[1, 2], [3], [10, 11], [12, 13]]);
});

test('few statements wait for locks at a time', async (t) => {
  let waitingCount = 0;
  let most = 0;
  const written: number[] = [];
  const batcher = createOutcomeBatcher<number>({
    destinationIdOf: (outcome) => outcome,
    async write(outcomes, { waits }) {
      if (!waits) return outcomes;
      most = Math.max(most, ++waitingCount);
      await new Promise((resolve) => setImmediate(resolve));
      waitingCount--;
      written.push(...outcomes);
      return [];
    },
  });
  const all = Array.from({ length: 20 }, (_, index) => index);
  for (const outcome of all) batcher.add(outcome);
  await batcher.idle();
  t.is(most, 3);
  t.deepEqual(
    written.toSorted((a, b) => a - b),
    all,
  );
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
  });
  for (const outcome of [1, 2, 3, 4, 5]) batcher.add(outcome);
  await batcher.idle();
  t.deepEqual(written, [[1], [2], [3], [4, 5]]);
});

test('an abandoned batcher neither retries nor writes', async (t) => {
  const { write, writes, until } = heldWrites();
  const batcher = createOutcomeBatcher({ write });
  batcher.add(1);
  await until(1);
  batcher.add(2);
  batcher.abandon();
  writes[0]!.end(new Error('Connection terminated'));
  await batcher.idle();
  t.is(writes.length, 1);
});

test('a batcher without outcomes is idle', async (t) => {
  await createOutcomeBatcher({ write: () => Promise.reject(new Error('none')) }).idle();
  t.pass();
});
