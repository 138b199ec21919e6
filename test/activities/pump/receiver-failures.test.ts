import test from 'ava';
import type { Answer } from '../../../activities/pump/allowance.ts';
import {
  DESTINATION_IN_FLIGHT,
  Simulation,
  type SimulatedReceiver,
} from '../../harness/deliveries/simulated-receivers.ts';
import { randomFrom } from '../../harness/random.ts';

const ROUND_TRIP_MS = 50;
const RUN_MS = 20_000;

type Behavior = SimulatedReceiver['answer'];

function destination(answer: Behavior): Simulation {
  const receiver = { destinationId: 1, arrivalsPerSecond: 2_000, answer };
  return new Simulation({ receivers: [receiver] });
}

function flaky(share: number, failure: Answer, seed = 1): Behavior {
  const random = randomFrom(seed);
  return () => ({ answer: random.chance(share) ? failure : 'accepted', afterMs: ROUND_TRIP_MS });
}

const healthyRate = destination(flaky(0, 'failed')).ratePerSecond(1, RUN_MS);

for (const failure of ['failed', 'overloaded'] as const) {
  for (const percent of [5, 10, 20, 50]) {
    test(`${percent} % ${failure} answers leave four fifths of the rate`, (t) => {
      for (let seed = 1; seed <= 5; seed++) {
        const kept = destination(flaky(percent / 100, failure, seed)).ratePerSecond(1, RUN_MS) / healthyRate;
        t.true(kept >= 0.8, `seed ${seed} keeps ${kept.toFixed(2)}`);
      }
    });
  }

  test(`only ${failure} answers leave one request in flight`, (t) => {
    let isDown = false;
    const simulation = destination(() => ({ answer: isDown ? failure : 'accepted', afterMs: ROUND_TRIP_MS }));
    simulation.run(5_000);
    t.is(simulation.inFlightCount(1), DESTINATION_IN_FLIGHT);
    isDown = true;
    simulation.run(40 * ROUND_TRIP_MS);
    t.is(simulation.inFlightCount(1), 1);
    isDown = false;
    simulation.run(100 * ROUND_TRIP_MS);
    t.true(simulation.inFlightCount(1) > DESTINATION_IN_FLIGHT / 2, 'it recovers');
  });
}

test('a receiver that never answers soon gets single requests', (t) => {
  let isDown = false;
  const timeoutMs = 10_000;
  const simulation = destination(() =>
    isDown ? { answer: 'overloaded', afterMs: timeoutMs } : { answer: 'accepted', afterMs: ROUND_TRIP_MS },
  );
  simulation.run(5_000);
  isDown = true;
  simulation.run(9 * timeoutMs + ROUND_TRIP_MS);
  t.true(simulation.inFlightCount(1) <= 2);
});

test('a receiver that refuses what is beyond its capacity is eased', (t) => {
  const capacity = 8;
  const simulation = destination(({ inFlightCount }) =>
    inFlightCount > capacity ? { answer: 'overloaded', afterMs: 5 } : { answer: 'accepted', afterMs: ROUND_TRIP_MS },
  );
  simulation.run(5_000);
  let most = 0;
  for (let count = 0; count < 1_000; count++) {
    simulation.run(10);
    most = Math.max(most, simulation.inFlightCount(1));
  }
  t.true(most <= 3 * capacity, `${most} in flight`);
});

test('a receiver whose answers time out under load is eased', (t) => {
  const perSecond = 2;
  const timeoutMs = 10_000;
  let freeAtMs = 0;
  const simulation = destination(({ atMs }) => {
    const endMs = Math.max(freeAtMs, atMs) + 1_000 / perSecond;
    if (endMs - atMs > timeoutMs) return { answer: 'overloaded', afterMs: timeoutMs };
    freeAtMs = endMs;
    return { answer: 'accepted', afterMs: endMs - atMs };
  });
  simulation.run(300_000);
  t.true(
    simulation.inFlightCount(1) <= 2 * perSecond * (timeoutMs / 1_000),
    `${simulation.inFlightCount(1)} in flight`,
  );
});
