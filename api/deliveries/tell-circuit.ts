import { findOpenCircuit } from '../../db/ledger/destinations/find-open-circuit.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { createSpacing, type RunSpaced } from './spacing.ts';
import type { CircuitSignal, WorkflowStarts } from '../../workflow-starts/workflow-starts.ts';

type TellDeps = Pick<ApiDeps, 'db' | 'temporal' | 'log'>;
type Told = { readonly destinationId: number; readonly as: CircuitSignal['as'] };

/** Whoever retries a thousand deliveries asks for one probe, and not for one after the other, each a post to the receiver. */
const PROBE_EVERY_MS = 3_000;

/** Of each way to the workflows, of which a process has one. */
const probes = new WeakMap<WorkflowStarts, RunSpaced<number>>();

/**
 * Has the workflow of a destination's circuit act on what was just committed, where the circuit is open. Nobody waits for
 * it, and nothing fails with it: where Temporal is away, adoption finds the overdue probe.
 */
export function tellCircuit(deps: TellDeps, told: Told): void {
  const { db, log } = deps;
  const { destinationId, as } = told;
  const tell = async (): Promise<void> => {
    if (as === 'moved') return await tellNow(deps, told);
    // A circuit that is closed takes up nobody's turn.
    if (await findOpenCircuit(db, destinationId)) spacingOf(deps)(destinationId, () => guard(tellNow(deps, told)));
  };
  guard(tell());

  function guard(telling: Promise<void>): void {
    telling.catch((error: unknown) => log.warn('circuit.untold', { destinationId, error }));
  }
}

async function tellNow({ db, temporal, log }: TellDeps, { destinationId, as }: Told): Promise<void> {
  const destination = await findOpenCircuit(db, destinationId);
  if (!destination) return;
  const told = await temporal.tellCircuit({ destination, as });
  if (told.state !== 'ended') log.warn('circuit.untold', { destinationId, error: told.cause });
}

function spacingOf({ temporal }: TellDeps): RunSpaced<number> {
  const spacing = probes.get(temporal) ?? createSpacing({ everyMs: PROBE_EVERY_MS });
  probes.set(temporal, spacing);
  return spacing;
}
