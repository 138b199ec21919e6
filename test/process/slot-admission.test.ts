import test from 'ava';
import fc from 'fast-check';
import { admitsSlot, FEW_SLOTS, reservedSlots } from '../../process/shares.ts';

interface Asking {
  readonly organization: number;
  readonly person: number;
  readonly address: number;
}

const MAX = { organization: 100, person: 100, address: 200 } as const;
const kinds = ['organization', 'person', 'address'] as const;

function aPool(capacity: number) {
  const held = new Map<string, number>();
  let takenCount = 0;
  const of = (asking: Asking, kind: keyof Asking) => held.get(`${kind}:${asking[kind]}`) ?? 0;
  const holdersOf = (asking: Asking) => kinds.map((kind) => ({ heldCount: of(asking, kind), maxCount: MAX[kind] }));
  return {
    taken: () => takenCount,
    held: of,
    admits: (asking: Asking) => admitsSlot({ capacity, takenCount }, holdersOf(asking)),
    take(asking: Asking): boolean {
      if (!admitsSlot({ capacity, takenCount }, holdersOf(asking))) return false;
      for (const kind of kinds) held.set(`${kind}:${asking[kind]}`, of(asking, kind) + 1);
      takenCount++;
      return true;
    },
  };
}

const newcomer: Asking = { organization: -1, person: -1, address: -1 };

test('a share is a quarter of the free slots outside the reserve', (t) => {
  const admits = (takenCount: number, heldCount: number, maxCount = 100) =>
    admitsSlot({ capacity: 100, takenCount }, [{ heldCount, maxCount }]);
  t.deepEqual([admits(0, 19), admits(0, 20)], [true, false]);
  t.deepEqual([admits(40, 9), admits(40, 10)], [true, false]);
  t.deepEqual([admits(99, 1), admits(99, 2)], [true, false], 'the reserve is for holders of few slots');
  t.deepEqual([admits(100, 0), admits(0, 1, 1)], [false, false]);
});

test('greedy organizations from few addresses always leave room for a newcomer', (t) => {
  const crowds = fc.record({
    capacity: fc.integer({ min: 20, max: 600 }),
    addressCount: fc.nat(),
    askings: fc.array(fc.record({ organization: fc.nat(400), person: fc.nat(400), address: fc.nat() }), {
      minLength: 200,
      maxLength: 1_500,
    }),
  });
  fc.assert(
    fc.property(crowds, ({ capacity, addressCount, askings }) => {
      const pool = aPool(capacity);
      // Each address gets few reserved slots, regardless of its organizations.
      const addresses = 1 + (addressCount % Math.max(1, Math.floor((reservedSlots(capacity) - 1) / FEW_SLOTS)));
      for (const asking of askings) pool.take({ ...asking, address: asking.address % addresses });
      return pool.taken() <= capacity && pool.take(newcomer);
    }),
  );
  t.pass();
});

test('ten greedy organizations leave more than a fifth to others', (t) => {
  const pool = aPool(1_000);
  for (let organization = 0; organization < 10; organization++) {
    while (pool.take({ organization, person: organization, address: organization }));
  }
  t.true(pool.taken() < 800);
  while (pool.take(newcomer));
  t.true(pool.held(newcomer, 'organization') >= 10, 'a newcomer may open several');
});

test('no holder exceeds its bound and no pool its capacity', (t) => {
  const askings = fc.array(fc.record({ organization: fc.nat(3), person: fc.nat(3), address: fc.nat(500) }), {
    maxLength: 1_500,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), askings, (capacity, all) => {
      const pool = aPool(capacity);
      for (const asking of all) pool.take(asking);
      return (
        pool.taken() <= capacity && all.every((asking) => kinds.every((kind) => pool.held(asking, kind) <= MAX[kind]))
      );
    }),
  );
  t.pass();
});

test('organizations of one person share that person’s slots', (t) => {
  const pool = aPool(1_000);
  for (let organization = 0; organization < 50; organization++) {
    while (pool.take({ organization, person: 1, address: organization }));
  }
  t.true(pool.taken() <= MAX.person);
});
