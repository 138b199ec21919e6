import test from 'ava';
import { type Share, shareShards } from '../../../activities/pump/pump-fleet.ts';
import { allShards, SHARD_COUNT } from '../../../contract/deliveries/shards.ts';

type Holdings = Readonly<Record<string, readonly number[]>>;

interface Given {
  readonly live: readonly string[];
  readonly holdings?: Holdings;
}

function sharesOf({ live, holdings = {} }: Given) {
  const leases = Object.entries(holdings).flatMap(([holder, shards]) =>
    shards.map((shard) => ({ shard, holder, fence: 1 })),
  );
  return Object.fromEntries(live.map((holder) => [holder, shareShards({ live, leases }, holder)]));
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

test('a single worker takes all free shards', (t) => {
  t.deepEqual(sharesOf({ live: ['a'] }), { a: { take: allShards, surplus: 0 } });
});

test('free shards are assigned to one worker each', (t) => {
  t.deepEqual(sharesOf({ live: ['a', 'b', 'c'] }), {
    a: { take: numbers(0, 86), surplus: 0 },
    b: { take: numbers(86, 171), surplus: 0 },
    c: { take: numbers(171, 256), surplus: 0 },
  });
});

test('a joining worker waits for the surplus of the others', (t) => {
  const holdings = { a: numbers(0, 128), b: numbers(128, 256) };
  t.deepEqual(sharesOf({ live: ['a', 'b', 'c'], holdings }), {
    a: { take: [], surplus: 42 },
    b: { take: [], surplus: 43 },
    c: { take: [], surplus: 0 },
  });
});

test('the shards of a dead worker go to those with the fewest', (t) => {
  const holdings = { a: numbers(0, 100), b: numbers(100, 180) };
  t.deepEqual(sharesOf({ live: ['a', 'b'], holdings }), {
    a: { take: numbers(180, 208), surplus: 0 },
    b: { take: numbers(208, 256), surplus: 0 },
  });
});

test('workers beyond the number of shards stand by', (t) => {
  const live = numbers(0, SHARD_COUNT + 1).map((number) => String(number).padStart(3, '0'));
  const holdings = Object.fromEntries(allShards.map((shard) => [live[shard], [shard]]));
  t.deepEqual(sharesOf({ live, holdings })[live[SHARD_COUNT]!], { take: [], surplus: 0 });
});

test('a worker that is not seen takes nothing', (t) => {
  t.deepEqual(shareShards({ live: ['a'], leases: [] }, 'b'), { take: [], surplus: 0 });
});

test('workers that follow their shares converge after every change', (t) => {
  const held = new Map<string, Set<number>>();
  const changes: readonly (readonly string[])[] = [
    ['a'],
    ['a', 'b'],
    ['a', 'b', 'c', 'd'],
    ['b', 'd'],
    ['b', 'd', 'e'],
  ];
  for (const live of changes) {
    for (const holder of held.keys()) if (!live.includes(holder)) held.delete(holder);
    for (const holder of live) if (!held.has(holder)) held.set(holder, new Set());
    for (let round = 0; round < 2; round++) {
      const shares = Object.entries(sharesOf({ live, holdings: listed(held) }));
      for (const [holder, share] of shares) follow(held.get(holder)!, share);
    }
    const counts = [...held.values()].map(({ size }) => size);
    t.is(new Set([...held.values()].flatMap((shards) => [...shards])).size, SHARD_COUNT);
    t.true(Math.max(...counts) - Math.min(...counts) <= 1, `${live}: ${counts}`);
  }
});

function follow(own: Set<number>, { take, surplus }: Share): void {
  for (const shard of take) own.add(shard);
  for (const shard of [...own].slice(own.size - surplus)) own.delete(shard);
}

function listed(held: ReadonlyMap<string, ReadonlySet<number>>): Holdings {
  return Object.fromEntries([...held].map(([holder, shards]) => [holder, [...shards]]));
}
