import type { Client } from '@temporalio/client';
import { destinationCircuitStart } from '../contract/destinations/circuit.ts';
import { keywordAttributes } from './keyword-attributes.ts';
import type { destinationCircuit } from '../workflows/destinations/destination-circuit.ts';
import { circuitMoved, probeNow } from '../workflows/messages/messages.ts';
import { startAndAwait } from './start-and-await.ts';
import type { CircuitSignal, Started } from './workflow-starts.ts';

/** Nobody waits for it: what is not told now, adoption finds. */
const CALL_DEADLINE_MS = 5_000;

/** Tells the workflow of a destination's circuit that there is something to see to, and starts it where none runs. */
export async function signalCircuit(
  client: Client,
  { destination, as, probeDelaysMs }: CircuitSignal & { readonly probeDelaysMs: readonly number[] },
): Promise<Started<'signalled'>> {
  const { workflowType, keywords, signalArgs, ...start } = destinationCircuitStart(destination, probeDelaysMs);
  const options = { ...start, typedSearchAttributes: keywordAttributes(keywords) };
  const signalWithStart = () =>
    as === 'probe'
      ? client.workflow.signalWithStart<typeof destinationCircuit>(workflowType, { ...options, signal: probeNow })
      : client.workflow.signalWithStart<typeof destinationCircuit, [{ destinationId: number }]>(workflowType, {
          ...options,
          signal: circuitMoved,
          signalArgs,
        });
  return await startAndAwait(
    () => client.withDeadline(Date.now() + CALL_DEADLINE_MS, signalWithStart),
    () => Promise.resolve('signalled' as const),
  );
}
