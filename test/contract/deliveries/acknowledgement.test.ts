import test from 'ava';
import { acknowledgedMove } from '../../../contract/deliveries/acknowledgement.ts';
import { deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { MAX_LISTENER_ATTEMPTS } from '../../../contract/listeners/bounds.ts';

const failures = ['rejected', 'no_response'] as const;

for (const status of deliveryStatuses) {
  test(`a success marks a ${status} delivery as delivered once`, (t) => {
    const move = acknowledgedMove({ status, attemptCount: 2 }, { outcome: 'accepted' });
    t.deepEqual(move, status === 'delivered' ? undefined : { number: 3, transition: 'deliver' });
    const late = acknowledgedMove({ status, attemptCount: 2 }, { outcome: 'accepted', attempt: 1 });
    t.deepEqual(late, status === 'delivered' ? undefined : { number: 1, transition: 'deliver' });
  });

  test(`a failure changes a ${status} delivery only if it is pending`, (t) => {
    for (const outcome of failures) {
      const ended = acknowledgedMove({ status, attemptCount: 0 }, { outcome });
      t.deepEqual(ended, status === 'pending' ? { number: 1, transition: 'exhaust' } : undefined);
      const kept = acknowledgedMove({ status, attemptCount: 0 }, { outcome, attempt: 1, retry: true });
      t.deepEqual(kept, status === 'pending' ? { number: 1, transition: 'reread' } : undefined);
    }
  });
}

test('a repeated failure is recorded once', (t) => {
  for (const outcome of failures) {
    t.is(acknowledgedMove({ status: 'pending', attemptCount: 1 }, { outcome, attempt: 1, retry: true }), undefined);
    t.is(acknowledgedMove({ status: 'pending', attemptCount: 1 }, { outcome, attempt: 1 }), undefined);
  }
});

test('an attempt that was never read is reported as unread', (t) => {
  for (const outcome of ['accepted', ...failures] as const) {
    t.is(acknowledgedMove({ status: 'pending', attemptCount: 1 }, { outcome, attempt: 3 }), 'unread');
  }
});

test('a delivery with too many failures ends despite retry', (t) => {
  const last = { outcome: 'rejected', attempt: MAX_LISTENER_ATTEMPTS, retry: true } as const;
  const move = acknowledgedMove({ status: 'pending', attemptCount: MAX_LISTENER_ATTEMPTS - 1 }, last);
  t.deepEqual(move, { number: MAX_LISTENER_ATTEMPTS, transition: 'exhaust' });
});
