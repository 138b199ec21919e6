import test, { type ExecutionContext } from 'ava';
import { allShards, SHARD_COUNT } from '../../../contract/deliveries/shards.ts';
import { readFleet } from '../../../db/ledger/shards/fleet.ts';
import { type FleetMember, fleetOf } from '../../harness/deliveries/fleet-member.ts';
import { eventually } from '../../harness/eventually.ts';
import { extendLeases } from '../../harness/deliveries/extend-leases.ts';
import { hotLedger, type HotLedger } from '../../harness/deliveries/hot-ledger.ts';

const UNSERVED_MS = 30_000;
async function fleetStage(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  return { ...ledger, ...fleetOf(t, ledger) };
}

async function holdersOf({ pool }: Pick<HotLedger, 'pool'>): Promise<string[]> {
  const { leases } = await readFleet(pool, '');
  return leases.map(({ holder }) => holder);
}

async function untilShared(ledger: Pick<HotLedger, 'pool'>, members: readonly FleetMember[]): Promise<void> {
  await eventually(async () => {
    const holders = await holdersOf(ledger);
    const counts = members.map(({ holder }) => holders.filter((each) => each === holder).length);
    return (
      counts.reduce((sum, count) => sum + count, 0) === SHARD_COUNT && Math.max(...counts) - Math.min(...counts) <= 1
    );
  });
}

test('shards spread evenly as workers join, leave and die', async (t) => {
  const stage = await fleetStage(t);
  const members: FleetMember[] = [];
  for (let count = 1; count <= 4; count++) {
    members.push(stage.join());
    await untilShared(stage, members);
  }
  await members.shift()!.fleet.stop();
  await untilShared(stage, members);
  members.shift()!.kill();
  await untilShared(stage, members);
  members.push(stage.join());
  await untilShared(stage, members);
  t.true(members.every(({ fleet }) => fleet.isServing()));
});

test('a starting worker takes shards only if no other worker serves them', async (t) => {
  const stage = await fleetStage(t);
  await extendLeases(stage.db); // Otherwise they expire during a pause of the machine.
  const isStarted = (): boolean => false;
  const first = stage.join({ isStarted });
  await untilShared(stage, [first]);
  const second = stage.join({ isStarted });
  const third = stage.join();
  await untilShared(stage, [first, third]);
  t.deepEqual(second.fleet.pump.shards(), []);
  await Promise.all([first.fleet.stop(), third.fleet.stop()]);
  await untilShared(stage, [second]);
});

test('a worker that was cut off serves again after its return', async (t) => {
  const stage = await fleetStage(t);
  const first = stage.join();
  const second = stage.join();
  await untilShared(stage, [first, second]);
  await stage.db('shard_leases').where({ holder: first.holder }).update({ holder: 'other', fence: 99 });
  await untilShared(stage, [first, second]);
  const leases = await stage.db('shard_leases').where({ holder: first.holder }).select('shard', 'fence');
  await eventually(() => first.fleet.pump.shards().length === leases.length);
  t.true(stage.log.lines.some(({ event }) => event === 'lease.lost'));
});

for (const [name, byMs] of [
  ['ahead of', 400_000],
  ['behind', -400_000],
] as const) {
  test(`a worker whose clock is ${name} the database's serves no shards meanwhile`, async (t) => {
    const stage = await fleetStage(t);
    let differenceMs = 0;
    let nowMs = 0;
    const member = stage.join({ clock: () => Date.now() + differenceMs, now: () => nowMs });
    await untilShared(stage, [member]);
    differenceMs = byMs;
    await eventually(() => member.fleet.pump.shards().length === 0);
    await eventually(async () => (await holdersOf(stage)).length === 0);
    await eventually(async () => (await stage.db('workers').select()).length === 0); // no other worker counts it
    nowMs = UNSERVED_MS;
    t.false(member.fleet.isServing());
    differenceMs = 0;
    await untilShared(stage, [member]);
    await eventually(() => member.fleet.isServing());
    t.is(stage.log.lines.filter(({ event }) => event === 'clock.refused').length, 1);
  });
}

test('a worker that cannot renew its leases is not serving', async (t) => {
  const stage = await fleetStage(t);
  let nowMs = 0;
  const { fleet, kill } = stage.join({ now: () => nowMs });
  await eventually(() => fleet.pump.shards().length === SHARD_COUNT);
  kill();
  nowMs = UNSERVED_MS - 1;
  t.true(fleet.isServing());
  nowMs = UNSERVED_MS;
  t.false(fleet.isServing());
  t.is(fleet.idleMs(), UNSERVED_MS);
});

test('a worker that gets none of its shards is not serving', async (t) => {
  const stage = await fleetStage(t);
  let nowMs = 0;
  await stage.db.raw('alter table shard_leases add constraint "no lease" check (shard < 0)');
  const { fleet } = stage.join({ now: () => nowMs });
  await eventually(() => stage.log.lines.some(({ event }) => event === 'lease.renewFailed'));
  nowMs = UNSERVED_MS;
  t.false(fleet.isServing());
  await stage.db.raw('alter table shard_leases drop constraint "no lease"');
  await eventually(() => fleet.isServing());
});

test('a worker beyond the number of shards is serving', async (t) => {
  const stage = await fleetStage(t);
  const later = new Date(Date.now() + 3_600_000); // however slow the machine is
  const holders = allShards.map((shard) => ({ shard, holder: `0/${shard}`, fence: 1 }));
  await stage.db('workers').insert(holders.map(({ holder }) => ({ holder, roles: ['pump'], seen_at: later })));
  await stage.db('shard_leases').insert(holders);
  let nowMs = 0;
  const { holder, fleet } = stage.join({ now: () => nowMs });
  await eventually(async () => (await stage.db('workers').where({ holder })).length === 1);
  nowMs = 2 * UNSERVED_MS;
  await eventually(() => fleet.isServing());
  t.deepEqual(fleet.pump.shards(), []);
});

test('a leaving worker frees its shards and its row at once', async (t) => {
  const stage = await fleetStage(t);
  const only = stage.join();
  await untilShared(stage, [only]);
  await only.fleet.stop();
  t.deepEqual(await holdersOf(stage), []);
  t.deepEqual(await stage.db('workers').select(), []);
});
