import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { rotateEventKeys } from '../../../db/upkeep/rotate-event-keys.ts';
import { anItem, hotLedger, untilBlockedByLock } from '../../harness/deliveries/hot-ledger.ts';

async function keyLedger(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  const accept = async (item: ReturnType<typeof anItem>, pool = ledger.pool) =>
    (await acceptItems(pool, [item])).eventCount;
  const rotate = () => rotateEventKeys(ledger.db, { keptMs: 0 });
  return { ...ledger, accept, rotate };
}

/** A rotation gives up after half a second, in which a busy machine may not look at its lock. */
async function blockedRotation(
  db: Knex,
  rotate: () => Promise<boolean>,
): Promise<{ readonly ended: Promise<boolean> }> {
  const isBlocked = untilBlockedByLock(db).then(() => true);
  for (;;) {
    const ended = rotate();
    if (await Promise.race([isBlocked, ended])) return { ended };
  }
}

test('an event stays a duplicate for two generations of keys', async (t) => {
  const { accept, rotate } = await keyLedger(t);
  const item = anItem();
  t.is(await accept(item), 1);
  for (let generation = 1; generation <= 2; generation++) {
    t.true(await rotate());
    t.is(await accept(item), 0);
  }
  t.true(await rotate());
  t.is(await accept(item), 1, 'its keys are dropped');
});

test('a duplicate does not pass during a rotation', async (t) => {
  const { db, accept, rotate, anotherPool } = await keyLedger(t);
  const item = anItem();
  const first = anotherPool(1);
  await first.query('begin');
  t.is(await accept(item, first), 1);
  const rotation = await blockedRotation(db, rotate);
  const second = accept(item);
  await first.query('commit');
  await rotation.ended;
  t.is(await second, 0);
});

test('repeated events and concurrent rotations accept each event once', async (t) => {
  const { accept, rotate } = await keyLedger(t);
  const items = Array.from({ length: 40 }, () => anItem());
  const counts = await Promise.all(
    [0, 1, 2].map(async () => {
      let count = 0;
      for (const item of items) count += await accept(item);
      return count;
    }),
  );
  await Promise.all([rotate(), ...items.map((item) => accept(item))]);
  t.is(
    counts.reduce((sum, count) => sum + count),
    items.length,
  );
  t.is((await Promise.all(items.map((item) => accept(item)))).filter((count) => count > 0).length, 0);
});

test('a generation that is not old enough continues', async (t) => {
  const { db } = await keyLedger(t);
  t.false(await rotateEventKeys(db, { keptMs: 9 * 86_400_000 }));
});
