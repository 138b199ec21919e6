import test, { type ExecutionContext } from 'ava';
import {
  deliveryStatuses,
  deliveryTransitions,
  endsDelivery,
  statusAfter,
} from '../../../contract/deliveries/status.ts';
import { type MovedRow, type TransitionCase, transitionCases, transitionStage } from './transition-cases.ts';
import { eventually } from '../../harness/eventually.ts';

/** Runs every statement that changes a status on a delivery of each status, and compares with the transitions. */

for (const [title, one] of Object.entries(transitionCases)) {
  test(`${title} moves each state as the table says`, async (t) => {
    const given = await transitionStage(t, one);
    const before = await given.rows();
    await one.run(given);
    const after = await given.rows();
    const held = await given.held();
    for (const [index, was] of before.entries()) comparePair(t, one, { was, row: after[index]!, held });
    if (one.notifies || (endsDelivery(one.transition) && !one.isListener))
      await eventually(() => given.heard.length > 0);
    t.pass();
  });
}

interface Pair {
  readonly was: MovedRow;
  readonly row: MovedRow;
  readonly held: readonly number[];
}

function comparePair(
  t: ExecutionContext<unknown>,
  { transition, from }: TransitionCase,
  { was, row, held }: Pair,
): void {
  const status = (from ?? deliveryStatuses).includes(was.status) ? statusAfter(was.status, transition) : undefined;
  const isHeld = held.includes(row.id);
  if (status === undefined) {
    t.deepEqual(row, was, `${was.status} does not change`);
    t.true(isHeld, `${was.status} keeps its hold`);
    return;
  }
  t.is(row.status, status, was.status);
  t.true(BigInt(row.xid) > BigInt(was.xid), `${was.status} gets a new transaction id`);
  t.is(isHeld, !endsDelivery(transition), `the hold of ${was.status}`);
  t.is(row.skip_reason !== null, status === 'skipped', `the reason of ${status}`);
  t.is(row.next_attempt_at !== null, status === 'retrying', `the next attempt of ${status}`);
}

test('each transition of the table is made by a statement', (t) => {
  const made = new Set(Object.values(transitionCases).map(({ transition }) => transition));
  t.deepEqual([...made].toSorted(), Object.keys(deliveryTransitions).toSorted());
});
