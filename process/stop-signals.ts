import { once } from 'node:events';
import type { Server } from 'node:net';
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

/** Time that answers need on a busy machine, from the end of their waits to the last byte. */
const ANSWER_RESERVE_MS = 10_000;
/** Time to write answers that need nothing but the connection. */
const LAST_ANSWER_RESERVE_MS = 2_000;

/** Milliseconds from the stop request. Short grace periods keep the same shares. */
interface StopTimes {
  /** Requests that wait for others are answered with what is known. */
  readonly answersDueMs: number;
  /** All other requests without an answer are refused. */
  readonly lastAnswersMs: number;
  /** The remaining connections are cut. */
  readonly endMs: number;
}

export function stopTimes(graceMs: number): StopTimes {
  return {
    answersDueMs: Math.max(graceMs / 2, graceMs - ANSWER_RESERVE_MS),
    lastAnswersMs: Math.max(graceMs * 0.9, graceMs - LAST_ANSWER_RESERVE_MS),
    endMs: graceMs,
  };
}

/** The process can't start in its surroundings. The message says what to change. */
export class StartRefused extends Error {}

/** Ends the process with one line of log if the start fails. Unexpected errors are logged with their stack. */
export async function exitOnFailure<Result>(log: Log, starting: Promise<Result>): Promise<Result> {
  try {
    return await starting;
  } catch (error) {
    log.error('start.failed', failureFields(error));
    await log.flush();
    process.exit(1);
  }
}

export interface Listen {
  readonly port: number;
  readonly host: string;
  /** The setting of the port, which the refusal names. */
  readonly setting: string;
}

/** @throws StartRefused if the address can't be used, for example because the port is in use. */
export async function listen(server: Server, { port, host, setting }: Listen): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const reason = listenFailures[(error as NodeJS.ErrnoException).code ?? ''] ?? String(error);
    throw new StartRefused(`Port ${port} of ${host} cannot be used: ${reason}. Check ${setting}.`, { cause: error });
  }
}

const listenFailures: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EACCES: 'the process may not open it',
};

export function failureFields(error: unknown): { readonly reason: string } | { readonly error: unknown } {
  return error instanceof StartRefused ? { reason: error.message } : { error };
}
