import { findOpenCircuit } from '../../db/ledger/destinations/circuits.ts';
import type { CircuitSignal, WorkflowStarts } from '../../workflow-starts/workflow-starts.ts';
import type { ApiDeps } from '../requests/deps.ts';

type SignalDeps = Pick<ApiDeps, 'db' | 'starts' | 'log'>;
type Signal = { readonly destinationId: number; readonly as: CircuitSignal['as'] };

/** Each probe is a request to the receiver. */
const PROBE_INTERVAL_MS = 3_000;

const throttles = new WeakMap<WorkflowStarts, Throttle<number>>();

/** Call this after the commit. Errors are only logged: adoption finds the overdue probe later. */
export function signalCircuit(deps: SignalDeps, signal: Signal): void {
  const { db, log } = deps;
  const { destinationId, as } = signal;
  const send = async (): Promise<void> => {
    if (as === 'moved') return await signalNow(deps, signal);
    // A closed circuit does not use up the interval.
    if (await findOpenCircuit(db, destinationId)) throttleOf(deps)(destinationId, () => guard(signalNow(deps, signal)));
  };
  guard(send());

  function guard(signalling: Promise<void>): void {
    signalling.catch((error: unknown) => log.warn('circuit.signalFailed', { destinationId, error }));
  }
}

async function signalNow({ db, starts, log }: SignalDeps, { destinationId, as }: Signal): Promise<void> {
  const destination = await findOpenCircuit(db, destinationId);
  if (!destination) return;
  const signalled = await starts.signalCircuit({ destination, as });
  if (signalled.state !== 'ended') log.warn('circuit.signalFailed', { destinationId, error: signalled.cause });
}

function throttleOf({ starts }: SignalDeps): Throttle<number> {
  const throttle = throttles.get(starts) ?? createThrottle({ intervalMs: PROBE_INTERVAL_MS });
  throttles.set(starts, throttle);
  return throttle;
}

type Throttle<Key> = (key: Key, act: () => void) => void;

interface ThrottleOptions {
  readonly intervalMs: number;
  /** Optional. Default: `setTimeout`, unreferenced. */
  readonly after?: (delayMs: number, act: () => void) => void;
}

const afterTimeout: NonNullable<ThrottleOptions['after']> = (delayMs, act) => void setTimeout(act, delayMs).unref();

/** Of the calls within an interval, only the first and the last run. */
export function createThrottle<Key>({ intervalMs, after = afterTimeout }: ThrottleOptions): Throttle<Key> {
  const next = new Map<Key, (() => void) | undefined>();

  return function run(key, act) {
    if (next.has(key)) {
      next.set(key, act);
      return;
    }
    next.set(key, undefined);
    const again = () => {
      const waiting = next.get(key);
      next.delete(key);
      if (waiting) run(key, waiting);
    };
    after(intervalMs, again);
    act();
  };
}
