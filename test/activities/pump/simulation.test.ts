import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { type Act, orderings, type Scenario, simulate } from '../../harness/pump-simulation/simulation.ts';

/** To search for longer: `SIMULATION_RUNS=5000 SIMULATION_SEED=2 npm test -- test/activities/pump/simulation.test.ts`. */
const numRuns = Number(process.env['SIMULATION_RUNS'] ?? 300);
const seed = Number(process.env['SIMULATION_SEED'] ?? 1);
const SECONDS_OF_ACTS = 8;

const destination = fc.nat(orderings.length - 1);
const worker = fc.nat(9);
/** In bursts, so that acts meet. */
const atMs = fc.tuple(fc.nat(SECONDS_OF_ACTS), fc.nat(250)).map(([second, ms]) => second * 1_000 + ms);
const forMs = fc.integer({ min: 100, max: 6_000 });
const one = <Kind extends string>(kind: Kind) => fc.constant(kind);

const accept = fc.record({
  kind: one('accept'),
  atMs,
  destination,
  conversation: fc.nat(2),
  count: fc.integer({ min: 1, max: 12 }),
});
const trouble = fc.record({
  kind: one('trouble'),
  atMs,
  destination,
  forMs,
  trouble: fc.constantFrom('refuses', 'overloaded', 'silent', 'slow'),
});
const edit = fc.record({ kind: one('edit'), atMs, destination });
const start = fc.record({ kind: one('start'), atMs });
const stop = fc.record({ kind: one('stop'), atMs, worker });
const crash = fc.record({ kind: one('crash'), atMs, worker });
const cut = fc.record({ kind: one('cut'), atMs, worker, forMs });
const weather = fc.record({ kind: fc.constantFrom('slow', 'flaky'), atMs, forMs });
const outage = fc.record({ kind: one('outage'), atMs, forMs });

function scenario(...others: fc.Arbitrary<Act>[]): fc.Arbitrary<Scenario> {
  return fc.record({
    seed: fc.integer(),
    workers: fc.integer({ min: 1, max: 3 }),
    stretch: fc.integer({ min: 1, max: 3 }),
    acts: fc
      .tuple(fc.array(accept, { minLength: 1, maxLength: 60 }), fc.array(fc.oneof(...others), { maxLength: 12 }))
      .map((acts) => acts.flat()),
  });
}

async function holds(t: ExecutionContext, scenarios: fc.Arbitrary<Scenario>): Promise<void> {
  const property = fc.asyncProperty(scenarios, async (each) => {
    const problems = await simulate(each);
    if (problems.length > 0) throw new Error(problems.slice(0, 5).join('\n'));
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, { numRuns, seed });
  t.false(failed, `${String(errorInstance)}\n${JSON.stringify(counterexample)}`);
}

test.serial('healthy workers deliver once, in order, fairly and to the current address', (t) =>
  holds(t, scenario(trouble, edit, start, stop)),
);

test.serial('slow and failing statements repeat and reorder nothing', (t) =>
  holds(t, scenario(trouble, edit, start, stop, weather)),
);

test.serial('crashes and lost leases lose and reorder nothing', (t) =>
  holds(t, scenario(trouble, edit, start, stop, weather, crash, cut, outage)),
);
