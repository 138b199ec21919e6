import test from 'ava';
import {
  deliveryStatuses,
  type DeliveryStatus,
  deliveryTransitions,
  statusAfter,
  type TransitionName,
} from '../../../contract/deliveries/status.ts';
import { outcomeOfStatus } from '../../../contract/deliveries/outcome-of-status.ts';

/** Written from the specification, not from the table under test. */
const moves: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'retrying delivered exhausted cancelled skipped',
  retrying: 'pending delivered exhausted cancelled skipped',
  delivered: '',
  exhausted: 'pending delivered',
  cancelled: 'pending delivered',
  skipped: 'pending delivered',
};

const transitions = Object.keys(deliveryTransitions) as readonly TransitionName[];
const canMove = (from: DeliveryStatus, to: DeliveryStatus): boolean =>
  from !== to && transitions.some((transition) => statusAfter(from, transition) === to);

for (const from of deliveryStatuses) {
  for (const to of deliveryStatuses) {
    const may = moves[from].split(' ').includes(to);
    test(`a delivery ${may ? 'can' : 'cannot'} change from ${from} to ${to}`, (t) => {
      t.is(canMove(from, to), may);
    });
  }
}

test('a late 2xx changes every state except delivered', (t) => {
  t.deepEqual(
    deliveryStatuses.filter((status) => statusAfter(status, 'deliver') === 'delivered'),
    deliveryStatuses.filter((status) => status !== 'delivered'),
  );
});

test('only 2xx counts as accepted', (t) => {
  const accepted = Array.from({ length: 500 }, (_, index) => index + 100).filter(
    (status) => outcomeOfStatus(status) === 'accepted',
  );
  t.is(accepted.length, 100);
  t.is(accepted.at(0), 200);
  t.is(accepted.at(-1), 299);
});
