import test from 'ava';
import { Simulation, type SimulatedReceiver } from '../../harness/deliveries/simulated-receivers.ts';

const SLOW_MS = 5_000;

const healthy = (destinationId: number, workspaceId?: string): SimulatedReceiver => ({
  destinationId,
  arrivalsPerSecond: 20,
  answer: () => ({ answer: 'accepted', afterMs: 10 }),
  ...(workspaceId && { workspaceId }),
});

const slow = (destinationId: number, workspaceId?: string): SimulatedReceiver => ({
  destinationId,
  arrivalsPerSecond: 1,
  backlog: 700,
  // Answers don't arrive together.
  answer: ({ atMs }) => ({ answer: 'accepted', afterMs: SLOW_MS + ((destinationId * 37 + atMs) % 500) }),
  ...(workspaceId && { workspaceId }),
});

function lateness(simulation: Simulation, destinationIds: readonly number[]): { p50: number; max: number } {
  const waits = destinationIds.flatMap((id) => simulation.startedMs.get(id)!).sort((a, b) => a - b);
  return { p50: waits[Math.floor(waits.length / 2)]!, max: waits.at(-1)! };
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index);

test('forty slow destinations with a backlog do not delay healthy ones', (t) => {
  const receivers = [...range(1, 40).map((id) => slow(id)), ...range(101, 5).map((id) => healthy(id))];
  const simulation = new Simulation({ receivers });
  simulation.run(40_000);
  const { p50, max } = lateness(simulation, range(101, 5));
  t.true(p50 <= 20 && max <= 100, `p50 ${p50} ms, max ${max} ms`);
  t.true(simulation.window.heldCount() < 40 * 80, `${simulation.window.heldCount()} rows held`);
  t.is(simulation.inFlightCount(1), 64, 'a slow receiver keeps its concurrency');
});

test('two hundred slow destinations leave a reserve for those that hold nothing', (t) => {
  const receivers = [...range(1, 200).map((id) => slow(id)), ...range(501, 5).map((id) => healthy(id))];
  const simulation = new Simulation({ receivers });
  simulation.run(15_000);
  const { p50, max } = lateness(simulation, range(501, 5));
  t.true(p50 <= 20 && max <= 500, `p50 ${p50} ms, max ${max} ms`);
  t.true(simulation.window.freeCount() > 0);
});

test('slow destinations of a workspace leave slots for its healthy ones', (t) => {
  const receivers = [...range(1, 40).map((id) => slow(id, 'ws')), ...range(101, 5).map((id) => healthy(id, 'ws'))];
  const simulation = new Simulation({ receivers });
  simulation.run(15_000);
  const { p50, max } = lateness(simulation, range(101, 5));
  t.true(p50 <= 20 && max <= 500, `p50 ${p50} ms, max ${max} ms`);
});
