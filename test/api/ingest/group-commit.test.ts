import test from 'ava';
import fc from 'fast-check';
import { type CommitPace, TooManyWaiting } from '../../../api/ingest/group-commit.ts';
import { directCommits, heldCommits } from './held-commits.ts';

test('a single item is committed immediately', async (t) => {
  const written: string[][] = [];
  const { commit } = directCommits((items) => Promise.resolve(void written.push([...items])));
  let turns = 0;
  const counting = (): void => {
    turns++;
    if (written.length === 0) setImmediate(counting);
  };
  counting();
  await commit(['a']);
  t.deepEqual(written, [['a']]);
  t.true(turns <= 3, `${turns} turns of the event loop`);
});

test('requests of one event loop turn share a commit', async (t) => {
  const { commit, until, writes } = heldCommits();
  const both = Promise.all([commit(['a', 'b']), commit(['c'])]);
  await until(1);
  t.deepEqual(writes[0]!.items, ['a', 'b', 'c']);
  writes[0]!.end();
  await both;
});

test('items arriving during a commit join the next and wait for it', async (t) => {
  const { commit, until, writes } = heldCommits();
  const answered: string[] = [];
  const first = commit(['a']).then(() => answered.push('a'));
  await until(1);
  const later = Promise.all(['b', 'c'].map((item) => commit([item]).then(() => answered.push(item))));
  writes[0]!.end();
  await first;
  await until(2);
  t.deepEqual(answered, ['a']);
  t.deepEqual(writes[1]!.items, ['b', 'c']);
  writes[1]!.end();
  await later;
  t.deepEqual(answered, ['a', 'b', 'c']);
});

test('items arriving during a pause between commits share the next one', async (t) => {
  const pauses = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let readyCount = 0;
  const pace: CommitPace = { ready: () => pauses[readyCount++]!.promise, timed: (_, commit) => commit() };
  const { commit, until, writes } = heldCommits({ pace });
  pauses[0]!.resolve();
  const first = commit(['a']);
  await until(1);
  const second = commit(['b']);
  writes[0]!.end();
  await first;
  const third = commit(['c']);
  t.is(writes.length, 1);
  pauses[1]!.resolve();
  await until(2);
  t.deepEqual(writes[1]!.items, ['b', 'c']);
  writes[1]!.end();
  await Promise.all([second, third]);
});

test('a commit respects its item limit and never splits small requests', async (t) => {
  const { commit, until, writes } = heldCommits({ maxItemsPerCommit: 3, itemsPerTurn: 2 });
  const all = Promise.all([commit(['a', 'b']), commit(['c', 'd']), commit(['e'])]);
  await until(1);
  writes[0]!.end();
  await until(2);
  writes[1]!.end();
  await all;
  t.deepEqual(
    writes.map(({ items }) => items),
    [
      ['a', 'b'],
      ['c', 'd', 'e'],
    ],
  );
});

test('a failing item causes only its own request to be refused', async (t) => {
  const written = new Set<string>();
  const { commit } = directCommits((items) => {
    if (items.includes('poison')) return Promise.reject(new Error('refused'));
    for (const item of items) written.add(item);
    return Promise.resolve();
  });
  const results = await Promise.allSettled([commit(['a']), commit(['b', 'poison']), commit(['c'])]);
  t.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  t.deepEqual([...written].sort(), ['a', 'c']);
});

test('a commit without a database is refused whole after one try', async (t) => {
  let tries = 0;
  const { commit } = directCommits(() => {
    tries++;
    return Promise.reject(new Error('away'));
  });
  const results = await Promise.allSettled([commit(['a']), commit(['b']), commit(['c'])]);
  t.true(results.every(({ status }) => status === 'rejected'));
  t.is(tries, 1);
});

test('an item repeated within a commit is written once', async (t) => {
  const { commit, until, writes } = heldCommits();
  const both = Promise.all([commit(['a', 'b', 'a']), commit(['b', 'c'])]);
  await until(1);
  t.deepEqual(writes[0]!.items, ['a', 'b', 'c']);
  writes[0]!.end();
  await both;
});

test('items beyond the bound are refused; queued items are committed', async (t) => {
  const { commit, until, writes } = heldCommits({ maxWaitingItems: 3 });
  const first = commit(['a']);
  await until(1);
  const waiting = commit(['b', 'c', 'd']);
  await t.throwsAsync(commit(['e']), { instanceOf: TooManyWaiting });
  writes[0]!.end();
  await until(2);
  writes[1]!.end();
  await Promise.all([first, waiting]);
  t.deepEqual(writes[1]!.items, ['b', 'c', 'd']);
});

test('a request without items is answered without a commit', async (t) => {
  const { commit, writes } = heldCommits();
  await commit([]);
  t.is(writes.length, 0);
});

test('idle resolves when all items are committed or refused', async (t) => {
  const { commit, idle, until, writes } = heldCommits();
  await idle();
  const settled: string[] = [];
  const first = commit(['a']).catch(() => settled.push('a'));
  await until(1);
  const second = commit(['b']).then(() => settled.push('b'));
  const quiet = idle().then(() => settled.push('idle'));
  writes[0]!.end(new Error('refused'));
  await until(2);
  writes[1]!.end();
  await Promise.all([first, second, quiet]);
  t.deepEqual(settled, ['a', 'b', 'idle']);
});

test('acknowledged items are written and refused items are not', async (t) => {
  const requests = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'poison'), { maxLength: 4 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(requests, fc.scheduler(), async (batch, scheduler) => {
      const written = new Set<string>();
      const unique = batch.map((items, index) => items.map((item) => (item === 'poison' ? item : `${item}${index}`)));
      const { commit } = directCommits(async (items) => {
        if (items.includes('poison')) throw new Error('refused');
        for (const item of items) written.add(item);
      });
      const results = unique.map((items) => scheduler.schedule(Promise.resolve()).then(() => commit(items)));
      const settled = Promise.allSettled(results);
      await scheduler.waitAll();
      for (const [index, { status }] of (await settled).entries()) {
        const items = unique[index]!;
        if ((status === 'rejected') !== items.includes('poison')) return false;
        if (items.some((item) => written.has(item)) !== (status === 'fulfilled' && items.length > 0)) return false;
      }
      return true;
    }),
    { numRuns: 50 },
  );
  t.pass();
});
