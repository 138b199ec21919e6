import type { Worker } from '@temporalio/worker';

/** Runs the worker until the signal aborts and its last tasks have ended. */
export async function runUntilStopped(worker: Worker, stopping: AbortSignal): Promise<void> {
  const run = worker.run();
  const stop = (): void => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  if (stopping.aborted) stop();
  stopping.addEventListener('abort', stop, { once: true });
  await run;
}
