import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import type { ProbeAnswer, ProbeDestination } from '../../../activities/destinations/circuit-activities.ts';
import type { DestinationCircuitInput } from '../../../contract/destinations/circuit.ts';
import type { destinationCircuit } from '../../../workflows/destinations/destination-circuit.ts';
import { circuitMoved, circuitProgress, probeNow } from '../../../workflows/messages/messages.ts';
import { stateAttribute } from '../../../workflows/runs/this-run.ts';
import { eventually } from '../../harness/eventually.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';
import { pluck } from '../../harness/pluck.ts';

const DAY_MS = 86_400_000;

const input = (others: Partial<DestinationCircuitInput> = {}): { args: [DestinationCircuitInput] } => ({
  args: [{ destinationId: 3, probeAtMs: Date.now(), probeDelaysMs: [1_000, 2_000], ...others }],
});

/** The last answer repeats. */
async function circuitHarness(
  t: ExecutionContext,
  answers: readonly ((probe: ProbeDestination) => ProbeAnswer | Promise<ProbeAnswer>)[],
) {
  const probes: ProbeDestination[] = [];
  const closed: unknown[] = [];
  const harness = await temporalHarness(t, {
    probeDestination: async (probe: ProbeDestination) => {
      probes.push(probe);
      return (answers[probes.length - 1] ?? answers.at(-1)!)(probe);
    },
    closeCircuitByHand: async (close: unknown) => {
      closed.push(close);
      return { status: 'closed', description: 'closed manually' };
    },
  });
  const start = (others?: Partial<DestinationCircuitInput>, workflowId = `test/${randomUUID()}`) =>
    harness.start<typeof destinationCircuit>('destinationCircuit', { ...input(others), workflowId });
  return { ...harness, start, probes, closed };
}

const open =
  (waitMs: number, wasProbed = true) =>
  (): ProbeAnswer => {
    const nextProbeAtMs = Date.now() + waitMs;
    return { status: 'open', wasProbed, description: 'rejected (503)', nextProbeAtMs };
  };
const recovered = (): ProbeAnswer => ({ status: 'closed', description: 'accepted (200)' });
const ended = (): ProbeAnswer => ({ status: 'ended', description: 'destination_disabled' });

test('a circuit is probed at growing intervals until it closes', async (t) => {
  const { start, probes } = await circuitHarness(t, [open(10), open(10), open(10), recovered]);
  const handle = await start();
  await eventually(async () => (await handle.query(circuitProgress)).state === 'closed');
  t.deepEqual(pluck(probes, 'probesMade'), [0, 1, 2, 3]);
  const [first, second, third] = probes.map(({ delayMs }) => delayMs);
  t.true(first! >= 1_600 && first! <= 2_400 && second! >= 1_600 && third! <= 2_400, 'the last delay repeats');
  t.like(await handle.query(circuitProgress), { state: 'closed', lastAnswer: 'accepted (200)', nextProbeAt: null });
  await handle.terminate();
});

test('a probe whose worker is lost is repeated within seconds', async (t) => {
  const lost = Promise.withResolvers<ProbeAnswer>(); // no result and no heartbeat
  const { start, probes } = await circuitHarness(t, [() => lost.promise, recovered]);
  const handle = await start();
  await eventually(async () => probes.length === 2);
  await eventually(async () => (await handle.query(circuitProgress)).state === 'closed');
  t.is(probes.length, 2);
  lost.resolve(recovered());
  await handle.terminate();
});

test('a requested probe is made now', async (t) => {
  const { start, probes } = await circuitHarness(t, [ended]);
  const handle = await start({ probeAtMs: Date.now() + DAY_MS });
  await handle.signal(probeNow);
  t.deepEqual(await handle.result(), { state: 'ended', probes: 0 });
  t.true(probes[0]!.isRequested);
});

test('a circuit that reopens soon keeps its workflow', async (t) => {
  const { start, probes } = await circuitHarness(t, [open(10), recovered, open(DAY_MS, false), ended]);
  const handle = await start();
  await eventually(async () => (await handle.query(circuitProgress)).state === 'closed');
  await handle.signal(circuitMoved, { destinationId: 8 });
  await eventually(async () => (await handle.query(circuitProgress)).state === 'open');
  t.like(probes[2], { destinationId: 8, probesMade: 0, isRequested: false });
  t.is((await handle.query(circuitProgress)).probesMade, 0);
  await handle.signal(circuitMoved, { destinationId: 8 });
  t.is((await handle.result()).state, 'ended');
});

test('a move without a destination reads the ledger for the present one', async (t) => {
  const { start, client, probes } = await circuitHarness(t, [ended]);
  const workflowId = `test/${randomUUID()}`;
  const handle = await start({ probeAtMs: Date.now() + DAY_MS }, workflowId);
  await client.workflow.getHandle(workflowId).signal('circuitMoved');
  t.is((await handle.result()).state, 'ended');
  t.like(probes, [{ destinationId: 3 }]);
});

test('cancelling the workflow closes the circuit', async (t) => {
  const { start, closed } = await circuitHarness(t, [recovered]);
  const handle = await start({ probeAtMs: Date.now() + DAY_MS });
  await handle.cancel();
  t.deepEqual(await handle.result(), { state: 'closed', probes: 0 });
  t.deepEqual(closed, [{ destinationId: 3 }]);
});

test('a circuit that has been open for long is probed rarely', async (t) => {
  const { start, probes } = await circuitHarness(t, [ended]);
  await (await start({ openedAtMs: Date.now() - DAY_MS })).result();
  t.true(probes[0]!.delayMs >= 12 * 60_000 && probes[0]!.delayMs <= 18 * 60_000);
});

for (const { what, destinationId, minDelayMs, maxDelayMs } of [
  { what: 'the same destination keeps', destinationId: 3, minDelayMs: 12 * 60_000, maxDelayMs: 18 * 60_000 },
  { what: 'another destination loses', destinationId: 8, minDelayMs: 1_600, maxDelayMs: 2_400 },
]) {
  test(`a circuit that moves to ${what} its age`, async (t) => {
    const { start, probes } = await circuitHarness(t, [ended]);
    const handle = await start({ probeAtMs: Date.now() + DAY_MS, openedAtMs: Date.now() - DAY_MS });
    await handle.signal(circuitMoved, { destinationId });
    await handle.result();
    t.like(probes, [{ destinationId }]);
    t.true(probes[0]!.delayMs >= minDelayMs && probes[0]!.delayMs <= maxDelayMs, `${probes[0]!.delayMs} ms`);
  });
}

test('the state search attribute follows the circuit', async (t) => {
  const { start, client } = await circuitHarness(t, [ended]);
  const handle = await start();
  await handle.result();
  const { typedSearchAttributes } = await client.workflow.getHandle(handle.workflowId).describe();
  t.is(typedSearchAttributes.get(stateAttribute), 'closed');
});
