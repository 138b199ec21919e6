import test from 'ava';
import fc from 'fast-check';
import { TooManyWaiting } from '../../../api/ingest/group-commit.ts';
import { directCommits, heldCommits } from './held-commits.ts';

const items = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${name}${at}`);
const of = (name: string, written: readonly string[]): string[] => written.filter((item) => item.startsWith(name));

async function endAll(
  { until, writes }: Pick<ReturnType<typeof heldCommits>, 'until' | 'writes'>,
  { from, all }: { readonly from: number; readonly all: readonly Promise<unknown>[] },
): Promise<void> {
  let isDone = false;
  const done = Promise.all(all).then(() => (isDone = true));
  for (let count = from; !isDone; count++) {
    await Promise.race([until(count), done]);
    writes[count - 1]?.end();
  }
}

test('a large request is spread over commits and answered after the last', async (t) => {
  const { commit, until, writes } = heldCommits();
  let isAnswered = false;
  const large = commit(items('l', 25)).then(() => (isAnswered = true));
  for (const count of [1, 2, 3]) {
    await until(count);
    t.false(isAnswered);
    writes[count - 1]!.end();
  }
  await large;
  t.deepEqual(
    writes.map((write) => write.items.length),
    [10, 10, 5],
  );
  t.deepEqual(
    writes.flatMap((write) => write.items),
    items('l', 25),
  );
});

test('small requests join the next commit despite waiting large ones', async (t) => {
  const held = heldCommits();
  const { commit, until, writes } = held;
  const answered: string[] = [];
  const answer = (name: string) => () => void answered.push(name);
  const larges = ['k', 'l', 'm', 'n'].map((name) => commit(items(name, 20)).then(answer(name)));
  await until(1);
  const smalls = ['a', 'b', 'c'].map((name) => commit([name]).then(answer(name)));
  writes[0]!.end();
  await until(2);
  t.deepEqual(
    writes[1]!.items.filter((item) => 'abc'.includes(item)),
    ['a', 'b', 'c'],
  );
  writes[1]!.end();
  await Promise.all(smalls);
  t.deepEqual(answered, ['a', 'b', 'c']);
  await endAll(held, { from: 3, all: larges });
});

test('small requests join the next commit despite large items of others', async (t) => {
  const held = heldCommits({ maxBytesPerCommit: 40, maxWaitingBytes: 10_000 });
  const { commit, until, writes } = held;
  const larges = ['k', 'l', 'm', 'n'].map((name) => commit(items(name.repeat(15), 8)));
  await until(1);
  const small = commit(['a']);
  writes[0]!.end();
  await until(2);
  t.true(writes[1]!.items.includes('a'));
  writes[1]!.end();
  await endAll(held, { from: 3, all: [...larges, small] });
});

test('a large request advances with every commit despite small requests', async (t) => {
  const held = heldCommits();
  const { commit, until, writes } = held;
  const all = [commit(items('l', 18))];
  for (let count = 1; count <= 3; count++) {
    await until(count);
    t.is(of('l', writes[count - 1]!.items).length, count === 1 ? 10 : 4);
    for (const name of items(`s${count}.`, 12)) all.push(commit([name]));
    writes[count - 1]!.end();
  }
  await all[0];
  await endAll(held, { from: 4, all });
});

test('a failed commit ends its large request; a retry completes it', async (t) => {
  const written = new Set<string>();
  const failure = { isDue: true };
  const { commit } = directCommits(async (batch) => {
    if (batch.includes('l15') && failure.isDue) throw new Error('away');
    for (const item of batch) written.add(item);
  });
  await t.throwsAsync(commit(items('l', 40)), { message: 'away' });
  t.is(written.size, 10);
  failure.isDue = false;
  await commit(items('l', 40));
  t.deepEqual([...written], items('l', 40));
});

test('a refused item fails its request; the other commits continue', async (t) => {
  const written: string[] = [];
  const { commit } = directCommits(async (batch) => {
    if (batch.includes('l15')) throw new Error('refused');
    written.push(...batch);
  });
  const large = commit(items('l', 30));
  const small = commit(['s']);
  await t.throwsAsync(large, { message: 'refused' });
  await small;
  t.true(written.includes('s'));
  t.true(written.includes('l29'));
});

test('a request above the bound is accepted alongside small ones', async (t) => {
  const { commit, until, writes } = heldCommits({ maxWaitingItems: 15, maxWaitingBytes: 2_000 });
  const large = commit(items('l', 300));
  await until(1);
  const smalls = Promise.all(['a', 'b', 'c'].map((name) => commit([name])));
  await t.throwsAsync(commit(items('k', 3)), { instanceOf: TooManyWaiting });
  const all = Promise.all([large, smalls]);
  for (let count = 1; count <= 31; count++) {
    await until(count);
    writes[count - 1]!.end();
  }
  await all;
  t.is(new Set(writes.flatMap((write) => write.items)).size, 303);
});

test('a request beyond the bound of waiting bytes is refused', async (t) => {
  const { commit, until, writes } = heldCommits({ maxWaitingBytes: 10 });
  const first = commit(['a']);
  await until(1);
  const waiting = commit(['123456789']);
  await t.throwsAsync(commit(['bc']), { instanceOf: TooManyWaiting });
  writes[0]!.end();
  await until(2);
  writes[1]!.end();
  await Promise.all([first, waiting]);
});

test('a commit that reached its byte limit takes no further request', async (t) => {
  const { commit, until, writes } = heldCommits({ maxBytesPerCommit: 8 });
  const all = Promise.all([commit(['12345']), commit(['6789']), commit(['abc'])]);
  await until(1);
  t.deepEqual(writes[0]!.items, ['12345', '6789']);
  writes[0]!.end();
  await until(2);
  writes[1]!.end();
  await all;
});

test('every item is written once, in order, in bounded commits', async (t) => {
  const requests = fc.array(fc.nat({ max: 35 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(requests, fc.scheduler(), async (sizes, scheduler) => {
      const written: string[] = [];
      const lengths: number[] = [];
      const { commit, idle } = directCommits(async (batch) => {
        lengths.push(batch.length);
        await scheduler.schedule(Promise.resolve());
        written.push(...batch);
      });
      const batches = sizes.map((size, index) => items(`${index}.`, size));
      const all = Promise.all(batches.map((batch) => scheduler.schedule(Promise.resolve()).then(() => commit(batch))));
      await scheduler.waitFor(all.then(idle));
      const isInOrder = batches.every((batch, index) => `${of(`${index}.`, written)}` === `${batch}`);
      return isInOrder && written.length === batches.flat().length && lengths.every((length) => length <= 10);
    }),
    { numRuns: 100 },
  );
  t.pass();
});
