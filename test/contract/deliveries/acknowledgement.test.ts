import test from 'ava';
import { acknowledgedMove } from '../../../contract/deliveries/acknowledgement.ts';
import { deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { MAX_LISTENER_ATTEMPTS } from '../../../contract/listeners/bounds.ts';

const failures = ['rejected', 'no_response'] as const;

for (const status of deliveryStatuses) {
  test(`a success makes a ${status} delivery delivered, unless it is already`, (t) => {
    const move = acknowledgedMove({ status, attemptCount: 2 }, { outcome: 'accepted' });
    t.deepEqual(move, status === 'delivered' ? undefined : { number: 3, status: 'delivered' });
    const late = acknowledgedMove({ status, attemptCount: 2 }, { outcome: 'accepted', attempt: 1 });
    t.deepEqual(late, status === 'delivered' ? undefined : { number: 1, status: 'delivered' });
  });

  test(`a failure ends a ${status} delivery only while it waits`, (t) => {
    for (const outcome of failures) {
      const ended = acknowledgedMove({ status, attemptCount: 0 }, { outcome });
      t.deepEqual(ended, status === 'pending' ? { number: 1, status: 'exhausted' } : undefined);
      const kept = acknowledgedMove({ status, attemptCount: 0 }, { outcome, attempt: 1, retry: true });
      t.deepEqual(kept, status === 'pending' ? { number: 1, status: 'pending' } : undefined);
    }
  });
}

test('the same failure is recorded once', (t) => {
  for (const outcome of failures) {
    t.is(acknowledgedMove({ status: 'pending', attemptCount: 1 }, { outcome, attempt: 1, retry: true }), undefined);
    t.is(acknowledgedMove({ status: 'pending', attemptCount: 1 }, { outcome, attempt: 1 }), undefined);
  }
});

test('an attempt that nobody was given is told apart', (t) => {
  for (const outcome of ['accepted', ...failures] as const) {
    t.is(acknowledgedMove({ status: 'pending', attemptCount: 1 }, { outcome, attempt: 3 }), 'unread');
  }
});

test('a delivery that has failed too often ends although it was to be read again', (t) => {
  const last = { outcome: 'rejected', attempt: MAX_LISTENER_ATTEMPTS, retry: true } as const;
  const move = acknowledgedMove({ status: 'pending', attemptCount: MAX_LISTENER_ATTEMPTS - 1 }, last);
  t.deepEqual(move, { number: MAX_LISTENER_ATTEMPTS, status: 'exhausted' });
});
