import test, { type ExecutionContext } from 'ava';
import { createAcceptedOutcomes } from '../../../activities/pump/outcomes/accepted-outcomes.ts';
import { reconcileAlerts } from '../../../db/alerts/reconcile-alerts.ts';
import { readDeliveryStates } from '../../../db/channels/delivery-states.ts';
import { listDestinationHealth } from '../../../db/destinations/health.ts';
import { settleOrMark } from '../../../db/ledger/destinations/not-settling.ts';
import { readBacklog } from '../../../db/upkeep/backlog.ts';
import { type FailingLedger, failingLedger, refusal } from '../../harness/deliveries/failing-ledger.ts';
import { accepted, anItem, aSubscriptionDestination, claim } from '../../harness/deliveries/hot-ledger.ts';
import { pumpLedgerOf } from '../../harness/deliveries/pump-deps.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { until } from '../../harness/until.ts';

/** Moves the destination's clock, as if its last settlement was that long ago. */
async function longLivedLedger(t: ExecutionContext, events: number) {
  const ledger = await failingLedger(t, { events });
  const { db, destinationId } = ledger;
  const passSeconds = async (seconds: number) => {
    const recentAt = db.raw(`recent_at - ? * interval '1 second'`, [seconds]);
    await db('destinations').where({ id: destinationId }).update({ recent_at: recentAt });
  };
  const recent = async () => {
    const row = await db('destinations').where({ id: destinationId }).first();
    return [row.recent_accepted, row.recent_failed] as const;
  };
  return { ...ledger, passSeconds, recent };
}

test('a destination settles for ever after one failure', async (t) => {
  const { ids, fail, failure, succeed, passSeconds, recent, statuses } = await longLivedLedger(t, 61);
  const [failed, ...others] = ids as [number];
  await fail([failure(failed)]);
  for (const id of others) {
    await passSeconds(30);
    await succeed(id);
  }
  t.is(await statuses(), ['retrying', ...others.map(() => 'delivered')].join());
  t.is((await recent())[1], 0);
});

test('a clock that was set back settles', async (t) => {
  const { ids, fail, failure, succeed, passSeconds, recent } = await longLivedLedger(t, 3);
  await fail([failure(ids[0]!)]);
  await succeed(ids[1]!);
  await passSeconds(-86_400);
  await succeed(ids[2]!);
  const [acceptedCount] = await recent();
  t.true(acceptedCount >= 1 && acceptedCount <= 2);
});

test('failures settle at a destination whose success was long ago', async (t) => {
  const { db, ids, fail, failure, succeed, passSeconds, recent, standing } = await longLivedLedger(t, 41);
  const [accepted, ...others] = ids as [number];
  await succeed(accepted);
  for (const id of others) {
    await passSeconds(30);
    await fail([failure(id)]);
  }
  t.is((await standing()).circuit, 'open');
  t.is((await db('attempts').where({ outcome: 'rejected' })).length, 40);
  t.is((await recent())[0], 0);
});

type Refusing = Pick<FailingLedger, 'db' | 'destinationId'>;

/** Refuses the end of deliveries, as a number out of its type's range does. */
async function refuseSettlements({ db, destinationId }: Refusing) {
  await createRefusal(db);
  await db.raw(`
    create trigger refuse before insert on deliveries_ended for each row when (new.destination_id = ${destinationId})
    execute function refuse()`);
}

async function createRefusal(db: FailingLedger['db']) {
  await db.raw(`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'value out of range: underflow' using errcode = '22003'; end $$`);
}

/** Accepts events for two destinations, and settles what both receivers answered. */
async function settlingStage(t: ExecutionContext) {
  const ledger = await longLivedLedger(t, 0);
  const { pool, channel, shard, fence } = ledger;
  await aSubscriptionDestination(ledger, channel);
  const settledIds: number[] = [];
  const outcomes = createAcceptedOutcomes({
    ledger: pumpLedgerOf(pool),
    onSettled: (settled) => void settledIds.push(...settled.map(({ row }) => row.id)),
    refusedRetryMs: 20,
    log: rememberingLog(),
  });
  const settle = async (eventCount: number) => {
    const items = Array.from({ length: eventCount }, () => anItem());
    await accepted(pool, items);
    for (const row of (await claim(pool)).deliveries) {
      outcomes.add({ row, attempt: refusal({ outcome: 'accepted', status: 200 }), lease: { shard, fence } });
    }
  };
  return { ...ledger, settledIds, settle };
}

test('a destination whose settlements are refused shows it and alerts', async (t) => {
  const stage = await settlingStage(t);
  const { db, pool, destinationId, channel, settledIds, settle } = stage;
  await settle(40);
  await until(() => settledIds.length === 80, { for: 'The settlement of all deliveries' });
  await refuseSettlements(stage);
  await settle(1);
  await until(() => settledIds.length === 81, { for: 'The settlement at the other destination' });
  await until(async () => (await readBacklog(pool)).notSettlingCount === 1, { for: 'The mark of the destination' });

  const state = async () => (await readDeliveryStates(db, [channel.id])).get(channel.id);
  t.like(await state(), { state: 'not_settling', subscriptionPublicId: null });
  const health = await listDestinationHealth(db, channel.id);
  t.deepEqual(
    health.map(({ notSettlingSince }) => notSettlingSince !== null),
    [true, false],
  );
  const limits = { circuitOpenMs: 600_000, credentialEndsMs: 600_000 };
  t.deepEqual(await reconcileAlerts(db, limits), { openedCount: 1, resolvedCount: 0 });
  t.like(await db('alerts').first(), { kind: 'deliveries.notSettling', severity: 'critical', subject_type: 'webhook' });

  await db.raw('drop trigger refuse on deliveries_ended');
  await until(() => settledIds.length === 82, { for: 'The settlement after the reason has ended' });
  const markedAt = async (at: string) =>
    await db('destinations')
      .where({ id: destinationId })
      .update({ not_settling_at: db.raw(`now() + cast(? as interval)`, [at]) });
  await markedAt('1 hour');
  t.is((await readBacklog(pool)).notSettlingCount, 0, 'the clock was set back');
  await markedAt('-2 minutes');
  t.deepEqual(await reconcileAlerts(db, limits), { openedCount: 0, resolvedCount: 1 });
  t.like(await state(), { state: 'ok' });
});

test('a refused settlement of a workflow marks its destination', async (t) => {
  const ledger = await longLivedLedger(t, 1);
  const { db, pool, ids, destinationId, succeed } = ledger;
  await refuseSettlements(ledger);
  await t.throwsAsync(
    settleOrMark(pool, destinationId, () => succeed(ids[0]!)),
    { message: /underflow/ },
  );
  t.is((await readBacklog(pool)).notSettlingCount, 1);
  const since = async () => (await db('destinations').where({ id: destinationId }).first()).not_settling_since;
  const first = await since();
  await t.throwsAsync(settleOrMark(pool, destinationId, () => succeed(ids[0]!)));
  t.deepEqual(await since(), first);
});

test('a settlement of a workflow that is refused once is repeated', async (t) => {
  const { pool, ids, destinationId, succeed, statuses } = await longLivedLedger(t, 1);
  let tries = 0;
  await settleOrMark(pool, destinationId, () =>
    tries++ === 0 ? Promise.reject(new TypeError('a fault')) : succeed(ids[0]!),
  );
  t.is(await statuses(), 'delivered');
  t.is((await readBacklog(pool)).notSettlingCount, 0);
});
