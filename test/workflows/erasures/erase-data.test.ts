import test from 'ava';
import type { ErasureState } from '../../../contract/erasures/erasure.ts';
import type { eraseData } from '../../../workflows/erasures/erase-data.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

test('an erasure continues until its row is completed, and survives failures', async (t) => {
  const states: (ErasureState | Error)[] = [
    { status: 'erasing', step: 'events', isHeld: false, events: 200 },
    new Error('the database is away'),
    { status: 'erasing', step: 'answers', isHeld: true, events: 300 },
    { status: 'completed', step: 'idempotent_calls', isHeld: false, events: 300 },
  ];
  const asked: string[] = [];
  const { start } = await temporalHarness(t, {
    eraseSlices: ({ erasureId }: { erasureId: string }) => {
      asked.push(erasureId);
      const state = states.shift()!;
      return state instanceof Error ? Promise.reject(state) : Promise.resolve(state);
    },
  });
  const handle = await start<typeof eraseData>('eraseData', { args: [{ erasureId: 'ers_00000001', heldMs: 1 }] });
  t.deepEqual(await handle.result(), { events: 300 });
  t.deepEqual(asked, Array(4).fill('ers_00000001'));
});
