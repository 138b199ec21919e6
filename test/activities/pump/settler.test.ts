import test from 'ava';
import { createSettler } from '../../../activities/pump/settler.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

/** A write that ends when told to. */
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

test('answers that arrive together are written together, those during a write with the next one', async (t) => {
  const { write, writes, until } = heldWrites();
  const settler = createSettler({ write, salvage: asIs, log: rememberingLog() });
  settler.add(1);
  settler.add(2);
  await until(1);
  settler.add(3);
  settler.add(4);
  t.deepEqual(writes[0]!.outcomes, [1, 2]);
  t.is(writes.length, 1);
  writes[0]!.end();
  await until(2);
  t.deepEqual(writes[1]!.outcomes, [3, 4]);
  writes[1]!.end();
  await settler.idle();
  t.is(writes.length, 2);
});

test('a write is repeated until the database takes it, and nothing overtakes it', async (t) => {
  const attempts: number[][] = [];
  const log = rememberingLog();
  const settler = createSettler<number>({
    write: (outcomes) => {
      attempts.push([...outcomes]);
      return attempts.length < 3 ? Promise.reject(new Error('the database is away')) : Promise.resolve();
    },
    salvage: (outcome) => -outcome,
    log,
  });
  settler.add(1);
  await settler.idle();
  t.deepEqual(attempts, [[1], [1], [1]]);
  t.is(log.lines.filter(({ level }) => level === 'error').length, 2);
});

test('contents that the database refuses are salvaged, so that the shard goes on', async (t) => {
  const written: string[] = [];
  const settler = createSettler<string>({
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
  settler.add('good');
  settler.add('poison');
  await settler.idle();
  settler.add('later');
  await settler.idle();
  t.deepEqual(written, ['good', 'rest', 'later']);
});

test('a long queue is written in batches, each outcome once and in order', async (t) => {
  const batches: number[][] = [];
  const settler = createSettler<number>({
    write: (outcomes) => Promise.resolve(void batches.push([...outcomes])),
    salvage: asIs,
    log: rememberingLog(),
  });
  const all = Array.from({ length: 1_234 }, (_, index) => index);
  for (const outcome of all) settler.add(outcome);
  await settler.idle();
  t.deepEqual(batches.flat(), all);
  t.true(batches.every(({ length }) => length <= 500));
});

test('an abandoned settler gives up a write that fails, and writes nothing more', async (t) => {
  const { write, writes, until } = heldWrites();
  const settler = createSettler({ write, salvage: asIs, log: rememberingLog() });
  settler.add(1);
  await until(1);
  settler.add(2);
  settler.abandon();
  writes[0]!.end(new Error('the database is away'));
  await settler.idle();
  t.is(writes.length, 1);
});

test('a settler with nothing to write is idle', async (t) => {
  await createSettler({ write: () => Promise.reject(new Error('none')), salvage: asIs, log: rememberingLog() }).idle();
  t.pass();
});
