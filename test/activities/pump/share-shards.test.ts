import test from 'ava';
import { type Share, shareShards } from '../../../activities/pump/pump-fleet.ts';

type Holdings = Readonly<Record<string, readonly number[]>>;

interface Given {
  readonly shardCount?: number;
  readonly live: readonly string[];
  readonly holdings?: Holdings;
}

function sharesOf({ shardCount = 16, live, holdings = {} }: Given) {
  const leases = Object.entries(holdings).flatMap(([holder, shards]) => shards.map((shard) => ({ shard, holder })));
  return Object.fromEntries(live.map((holder) => [holder, shareShards({ shardCount, live, leases }, holder)]));
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

test('a single worker takes all free shards', (t) => {
  t.deepEqual(sharesOf({ live: ['a'] }), { a: { take: numbers(0, 16), surplus: 0 } });
});

test('free shards are assigned to one worker each', (t) => {
  t.deepEqual(sharesOf({ shardCount: 5, live: ['a', 'b'] }), {
    a: { take: [0, 1, 2], surplus: 0 },
    b: { take: [3, 4], surplus: 0 },
  });
});

test('a joining worker waits for the surplus of the others', (t) => {
  const holdings = { a: numbers(0, 8), b: numbers(8, 16) };
  t.deepEqual(sharesOf({ live: ['a', 'b', 'c'], holdings }), {
    a: { take: [], surplus: 2 },
    b: { take: [], surplus: 3 },
    c: { take: [], surplus: 0 },
  });
});

test('the shards of a dead worker go to those with the fewest', (t) => {
  const holdings = { a: numbers(0, 6), b: numbers(6, 11) };
  t.deepEqual(sharesOf({ live: ['a', 'b'], holdings }), {
    a: { take: [11, 12], surplus: 0 },
    b: { take: [13, 14, 15], surplus: 0 },
  });
});

test('workers beyond the number of shards stand by', (t) => {
  const holdings = { a: [0], b: [1] };
  t.deepEqual(sharesOf({ shardCount: 2, live: ['a', 'b', 'c'], holdings }).c, { take: [], surplus: 0 });
});

test('a worker that is not seen takes nothing', (t) => {
  t.deepEqual(shareShards({ shardCount: 4, live: ['a'], leases: [] }, 'b'), { take: [], surplus: 0 });
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
    t.is(new Set([...held.values()].flatMap((shards) => [...shards])).size, 16);
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
