import test from 'ava';
import type { checkDestination } from '../../../workflows/destinations/check-destination.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

for (const verdict of ['allowed', 'blocked'] as const) {
  test(`a destination is ${verdict} when its addresses are`, async (t) => {
    const asked: unknown[] = [];
    const { execute } = await temporalHarness(t, {
      checkDestinationAddress: async (input: unknown) => {
        asked.push(input);
        return verdict;
      },
    });
    t.is(await execute<typeof checkDestination>('checkDestination', { args: [{ destinationId: 3 }] }), verdict);
    t.deepEqual(asked, [{ destinationId: 3 }]);
  });
}

test('a failed lookup is retried', async (t) => {
  let asked = 0;
  const { execute } = await temporalHarness(t, {
    checkDestinationAddress: async () => {
      if (++asked < 3) throw new Error('database unreachable');
      return 'allowed';
    },
  });
  t.is(await execute<typeof checkDestination>('checkDestination', { args: [{ destinationId: 3 }] }), 'allowed');
});
