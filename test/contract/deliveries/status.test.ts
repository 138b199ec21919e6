import test from 'ava';
import { canMove, deliveryStatuses, type DeliveryStatus, statusesBefore } from '../../../contract/deliveries/status.ts';
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

for (const from of deliveryStatuses) {
  for (const to of deliveryStatuses) {
    const may = moves[from].split(' ').includes(to);
    test(`a delivery ${may ? 'can' : 'cannot'} change from ${from} to ${to}`, (t) => {
      t.is(canMove(from, to), may);
      t.is(statusesBefore(to).includes(from), may);
    });
  }
}

test('a late 2xx changes every state except delivered', (t) => {
  t.deepEqual(
    statusesBefore('delivered'),
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
