import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { call, type CallOptions } from './http-call.ts';

interface Burst {
  readonly baseUrl: string;
  readonly route: string;
  readonly headers: CallOptions['headers'];
  readonly count: number;
}

/** Sends requests at the same moment, in a thread of its own: their answers must not delay who measures meanwhile. */
export function sendBurst(burst: Burst, onStatus: (status: number) => void): Worker {
  return new Worker(new URL(import.meta.url), { workerData: burst }).on('message', onStatus);
}

if (!isMainThread && parentPort !== null) {
  const { baseUrl, route, headers, count } = workerData as Burst;
  for (let n = 0; n < count; n++) {
    void call(baseUrl, route, { headers: headers ?? {} }).then(
      ({ status }) => parentPort!.postMessage(status),
      () => undefined,
    );
  }
}
