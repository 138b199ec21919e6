import test, { type ExecutionContext } from 'ava';
import { releaseDueRetries } from '../../../db/ledger/release-due-retries.ts';
import type { FailedAttempt } from '../../../db/ledger/settle-failed.ts';
import { failingLedger, type FailingLedger, HOUR_MS, refusal } from '../../harness/deliveries/failing-ledger.ts';

/** How many of a run's attempts are failures decides, so the runs are seeded. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Settles attempts one after the other as they end, one millisecond apart. */
async function runAttempts(
  t: ExecutionContext,
  { count, fails }: { count: number; fails: (index: number) => boolean },
) {
  const ledger = await failingLedger(t, { events: count });
  const { ids, fail, failure, succeed, standing } = ledger;
  const startedAtMs = Date.now() - count;
  for (const [index, id] of ids.entries()) {
    const at = { startedAtMs: startedAtMs + index, durationMs: 1 };
    if (fails(index)) await fail([failure(id, { attempt: refusal(at) })]);
    else await succeed(id, at);
    if ((await standing()).circuit === 'open') return index + 1;
  }
  return undefined;
}

for (const share of [0.05, 0.2, 0.5]) {
  test(`a receiver that fails ${share * 100} % keeps its circuit closed`, async (t) => {
    const random = seeded(7);
    t.is(await runAttempts(t, { count: 300, fails: (index) => index > 4 && random() < share }), undefined);
  });
}

test('five failures after many successes open the circuit', async (t) => {
  t.is(await runAttempts(t, { count: 100, fails: (index) => index >= 50 }), 55);
});

test('a flaky receiver that dies opens its circuit later', async (t) => {
  const opened = await runAttempts(t, { count: 150, fails: (index) => index >= 60 || index % 2 === 1 });
  t.true(opened! > 70 && opened! <= 110);
});

test('a receiver that accepts one of ten attempts opens its circuit', async (t) => {
  t.not(await runAttempts(t, { count: 60, fails: (index) => index % 10 !== 9 }), undefined);
});

test('failures with a 2xx between them are not in a row', async (t) => {
  const { ids, fail, failure, standing, succeed } = await failingLedger(t);
  const now = Date.now();
  const at = (ms: number) => ({ startedAtMs: now + ms, durationMs: 1 });
  const failed = [0, 1, 2, 4, 5, 6].map((ms, index) =>
    failure(ids[index]!, { attempt: refusal(at(ms)), succeededAtMs: now + 4 }),
  );
  await fail(failed);
  t.like(await standing(), { circuit: 'closed', consecutive_failures: 3 });
  await succeed(ids[9]!, at(3));
  t.like(await standing(), { circuit: 'closed', consecutive_failures: 3 }, 'the 2xx ended before them');
  await succeed(ids[8]!, at(7));
  t.like(await standing(), { circuit: 'closed', consecutive_failures: 0 });
});

test('failures of one batch count in the order in which they ended', async (t) => {
  const { ids, fail, failure, standing, statuses } = await failingLedger(t);
  const now = Date.now();
  const order = [5, 4, 3, 2, 1, 0];
  await fail(
    order.map((ms, index) => failure(ids[index]!, { attempt: refusal({ startedAtMs: now + ms, durationMs: 1 }) })),
  );
  t.like(await standing(), { circuit: 'open', consecutive_failures: 6 });
  t.is(await statuses(), 'pending,retrying,retrying,retrying,retrying,retrying,pending,pending,pending,pending');
});

test('a success recorded with a future time hides no failures', async (t) => {
  const { db, ids, fail, failure, standing } = await failingLedger(t, { events: 5 });
  await db('destinations').update({ last_delivered_at: new Date(Date.now() + HOUR_MS) });
  for (const id of ids) await fail([failure(id)]);
  t.is((await standing()).circuit, 'open');
});

/** Deliveries that fail at the given times, in milliseconds from now. `retry` is the number of the retry, 0 for none. */
const failAt = ({ failure }: FailingLedger, ids: readonly number[], { retry, ms }: { retry: number; ms: number }) =>
  ids.map((id, index) =>
    failure(id, {
      attempt: refusal({ number: retry + 1, startedAtMs: Date.now() + ms + index, durationMs: 1 }),
      failedInSchedule: retry,
    }),
  );

async function failTogether(ledger: FailingLedger, failed: FailedAttempt[]) {
  await ledger.db('deliveries').where({ status: 'retrying' }).update({ next_attempt_at: ledger.db.fn.now() });
  const { shard, fence } = ledger;
  await releaseDueRetries(ledger.pool, { leases: [{ shard, fence }], limit: 500 });
  return await ledger.fail(failed);
}

for (const { count, opensAtRetry } of [
  { count: 2, opensAtRetry: 2 },
  { count: 3, opensAtRetry: 1 },
  { count: 4, opensAtRetry: 1 },
]) {
  test(`failed retries of ${count} deliveries open the circuit`, async (t) => {
    const ledger = await failingLedger(t, { events: count });
    for (let retry = 0; retry <= opensAtRetry; retry++) {
      t.is((await ledger.standing()).circuit, 'closed');
      await failTogether(ledger, failAt(ledger, ledger.ids, { retry, ms: retry * 10 }));
    }
    t.like(await ledger.standing(), { circuit: 'open', circuit_reason: 'failures' });
    t.is((await ledger.statuses()).split(',').at(-1), 'pending', 'failures beyond the fifth wait for the circuit');
  });
}

test('retries of one delivery never open the circuit', async (t) => {
  const ledger = await failingLedger(t, { events: 1 });
  for (const retry of [0, 1, 2]) await failTogether(ledger, failAt(ledger, ledger.ids, { retry, ms: retry * 10 }));
  t.like(await ledger.standing(), { circuit: 'closed', consecutive_failures: 3 });
});

test('retries do not count if another delivery was accepted meanwhile', async (t) => {
  const ledger = await failingLedger(t, { events: 10 });
  const failing = ledger.ids.slice(0, 9);
  for (const [index, id] of failing.entries()) {
    await ledger.fail(failAt(ledger, [id], { retry: 0, ms: index }));
    if (index % 3 === 2) await ledger.succeed(ledger.ids[9]!, { startedAtMs: Date.now() + index, durationMs: 1 });
  }
  for (const retry of [1, 2]) {
    const { movedIds } = await failTogether(ledger, failAt(ledger, failing, { retry, ms: retry * 100 }));
    t.is(movedIds.size, failing.length);
  }
  t.like(await ledger.standing(), { circuit: 'closed', consecutive_failures: 0 });
});
