import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { ErasureActivities } from '../../activities/erasures/erasure-activities.ts';
import type { EraseDataInput } from '../../contract/erasures/erasure.ts';
import { activityQueue } from '../runs/this-run.ts';

const { eraseSlices } = proxyActivities<ErasureActivities>({
  taskQueue: activityQueue('upkeep'),
  // A call returns after a minute plus one slice.
  startToCloseTimeout: '2m',
  // Longer than the longest statement, 30 s.
  heartbeatTimeout: '40s',
  // Covers a lost worker or database. A repeat continues from the stored position.
  retry: { initialInterval: '500ms', maximumInterval: '15s' },
});

export interface EraseDataResult {
  readonly events: number;
}

/** Erases slice by slice until nothing is left. The row keeps position and report, so another run may continue. */
export async function eraseData({ erasureId, heldMs }: EraseDataInput): Promise<EraseDataResult> {
  for (;;) {
    const { status, step, isHeld, events } = await eraseSlices({ erasureId });
    setCurrentDetails(`${status}: ${step}, ${events} events erased.`);
    if (status === 'completed') return { events };
    if (isHeld) await sleep(heldMs, { summary: 'wait for transactions and attempts under way' });
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof eraseData>({ erasureId, heldMs });
  }
}
