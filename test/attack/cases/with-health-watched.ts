import { Worker } from 'node:worker_threads';
import type { WatchRequest, WatchResult } from './health-watch.ts';

/** Healthy processes answer within seconds even on a busy machine. */
const STALL_MS = 5_000;

let watcher: Worker | undefined;
let runCount = 0;
let lastId = 0;
const resolvers = new Map<number, (result: WatchResult) => void>();

/**
 * Registers a run. The returned function ends it and, after the last run, the thread: AVA waits even for unreferenced
 * threads of a test file.
 */
export function beginWatching(): () => Promise<void> {
  runCount += 1;
  return async () => {
    runCount -= 1;
    if (runCount > 0) return;
    const ended = watcher;
    watcher = undefined;
    await ended?.terminate();
  };
}

function startWatcher(): Worker {
  const worker = new Worker(new URL('health-watch.ts', import.meta.url));
  worker.on('message', (result: WatchResult) => {
    resolvers.get(result.id)?.(result);
    resolvers.delete(result.id);
  });
  worker.on('error', (error) => {
    for (const [id, resolve] of resolvers) resolve({ id, longestMs: 0, problem: `The watch failed: ${String(error)}` });
    resolvers.clear();
  });
  return worker;
}

/** Reports a slow `/healthz` during the attempt. Callers must have called `beginWatching`. */
export async function withHealthWatched(
  { url, patience = 1 }: { readonly url: string; readonly patience?: number | undefined },
  attempt: () => Promise<string | undefined>,
): Promise<string | undefined> {
  watcher ??= startWatcher();
  const send = (request: WatchRequest): void => watcher?.postMessage(request);
  const id = (lastId += 1);
  const watched = new Promise<WatchResult>((resolve) => resolvers.set(id, resolve));
  send({ id, url });
  const what = await attempt().finally(() => send({ id, url: undefined }));
  const { longestMs, problem } = await watched;
  const isStalled = longestMs > STALL_MS * patience;
  return what ?? problem ?? (isStalled ? `/healthz took ${Math.round(longestMs)} ms during the call.` : undefined);
}
