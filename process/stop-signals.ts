import { constants } from 'node:os';
import type { Log } from './log.ts';

const signals = ['SIGTERM', 'SIGINT'] as const;
export type StopSignal = (typeof signals)[number];

/** The shell's exit code for a process that a signal ended. */
const SIGNAL_EXIT = 128;
/** A full pipe must not keep the process. */
const LAST_LINE_MS = 200;

/** Calls `stop` at the first signal. A second one ends the process at once and cuts what runs. */
export function onStopSignal(log: Log, stop: (signal: StopSignal) => void): void {
  let isStopping = false;
  for (const signal of signals) {
    process.on(signal, () => {
      if (isStopping) return exitNow(log, signal);
      isStopping = true;
      log.info('stop.requested', { signal });
      stop(signal);
    });
  }
}

/** Time after the grace period for the last writes and for spans. Below the margin of every orchestrator. */
const LAST_WRITES_MS = 4_000;

/** Ends a stopping process whose last writes get no answer, for example from a database that hangs. */
export function exitIfOverdue(log: Log, { delayMs, graceMs }: { readonly delayMs: number; readonly graceMs: number }) {
  const exit = (): never => process.exit(1);
  const overdue = (): void => {
    log.error('stop.abandoned', { graceMs });
    setTimeout(exit, LAST_LINE_MS);
    log.flush().then(exit, exit);
  };
  setTimeout(overdue, delayMs + graceMs + LAST_WRITES_MS).unref();
}

function exitNow(log: Log, signal: StopSignal): void {
  const exit = (): never => process.exit(SIGNAL_EXIT + constants.signals[signal]);
  log.warn('stop.forced', { signal });
  setTimeout(exit, LAST_LINE_MS);
  log.flush().then(exit, exit);
}
