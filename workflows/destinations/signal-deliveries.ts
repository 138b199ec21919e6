import { getExternalWorkflowHandle, patched } from '@temporalio/workflow';
import { deliveryWorkflowId } from '../../contract/ids.ts';
import { circuitClosed } from '../messages/deliveries.ts';
import { isOwnCancellation } from '../cancellations/is-own-cancellation.ts';

/** The server fails a workflow task that leaves more than 2,000 signals pending, and repeats it for ever. */
const SLICE = 200;

/**
 * Signals deliveries in slices. Present activities signal them themselves and return none; an answer of an earlier
 * release may contain any number.
 */
export async function signalDeliveries(deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length <= SLICE || !patched('signals-in-slices')) return await signalSlice(deliveryIds);
  for (let start = 0; start < deliveryIds.length; start += SLICE) {
    await signalSlice(deliveryIds.slice(start, start + SLICE));
  }
}

/** Ignores deliveries without a running workflow: adoption starts missing workflows. */
async function signalSlice(deliveryIds: readonly string[]): Promise<void> {
  await Promise.all(
    deliveryIds.map((deliveryId) =>
      getExternalWorkflowHandle(deliveryWorkflowId(deliveryId))
        .signal(circuitClosed)
        .catch((error: unknown) => {
          if (isOwnCancellation(error)) throw error;
        }),
    ),
  );
}
