import test from 'ava';
import { leadUpkeep } from '../../../worker/upkeep/lead-upkeep.ts';
import { hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { eventually } from '../../harness/eventually.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

test('one worker does the upkeep, and another continues after it', async (t) => {
  const { pool, db } = await hotLedger(t);
  const log = rememberingLog();
  const runs: string[] = [];
  const join = (holder: string) => {
    const stopping = new AbortController();
    const task = { act: async () => void runs.push(holder), onFailed: () => undefined };
    const ended = leadUpkeep({ pool, holder, stopping: stopping.signal, log }, [task]);
    const stop = () => (stopping.abort(), ended);
    t.teardown(stop);
    return stop;
  };
  const stopFirst = join('a');
  await eventually(() => runs.length > 0);
  join('b');
  await eventually(() => runs.length > 2);
  t.false(runs.includes('b'));
  await stopFirst();
  await eventually(() => runs.at(-1) === 'b');
  await db('leader_leases').update({ holder: 'c', expires_at: new Date(Date.now() + 600_000) });
  await eventually(() => log.lines.some(({ event }) => event === 'leader.replaced'));
  t.is(log.lines.filter(({ event }) => event === 'leader.elected').length, 2);
});

test('a failed task is repeated and delays no other', async (t) => {
  const { pool } = await hotLedger(t);
  const stopping = new AbortController();
  const reasons: string[] = [];
  let others = 0;
  const failing = {
    act: () => Promise.reject(new Error('unreachable')),
    everyMs: 3_600_000,
    onFailed: (reason: string) => void reasons.push(reason),
  };
  const other = { act: async () => void others++, onFailed: () => undefined };
  const log = rememberingLog();
  const ended = leadUpkeep({ pool, holder: 'a', stopping: stopping.signal, log }, [failing, other]);
  await eventually(() => reasons.length > 1 && others > 1);
  stopping.abort();
  await ended;
  t.is(reasons[0], 'unreachable');
});
