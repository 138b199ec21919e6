import test from 'ava';
import { createShardWakes } from '../../../db/core/shard-wakes.ts';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { pluck } from '../../harness/pluck.ts';

/** Answers each statement when the test says so. */
function heldPool() {
  const statements: { readonly shards: string; readonly answer: PromiseWithResolvers<unknown> }[] = [];
  const query = ({ values: [shards] }: { values: [string] }) => {
    const answer = Promise.withResolvers<unknown>();
    statements.push({ shards, answer });
    return answer.promise;
  };
  return { pool: { query } as unknown as HotPool, statements };
}

test('shards woken during a notification share the next one', async (t) => {
  const { pool, statements } = heldPool();
  const wakes = createShardWakes({ pool, log: rememberingLog() });
  wakes.wake([3]);
  wakes.wake([1, 2]);
  wakes.wake([2, 3]);
  t.deepEqual(pluck(statements, 'shards'), ['3']);
  statements[0]!.answer.resolve({});
  await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(pluck(statements, 'shards'), ['3', '1,2,3']);
  statements[1]!.answer.resolve({});
  await wakes.idle();
  t.is(statements.length, 2);
});

test('a failed notification is logged and does not stop the next one', async (t) => {
  const { pool, statements } = heldPool();
  const log = rememberingLog();
  const wakes = createShardWakes({ pool, log });
  wakes.wake([1]);
  statements[0]!.answer.reject(new Error('connection lost'));
  await wakes.idle();
  t.like(log.lines[0], { level: 'warn', event: 'wake.notifyFailed', shardCount: 1 });
  wakes.wake([2]);
  statements[1]!.answer.resolve({});
  await wakes.idle();
  t.is(log.lines.length, 1);
});

test('no shards, no statement', async (t) => {
  const { pool, statements } = heldPool();
  const wakes = createShardWakes({ pool, log: rememberingLog() });
  wakes.wake([]);
  await wakes.idle();
  t.is(statements.length, 0);
});
