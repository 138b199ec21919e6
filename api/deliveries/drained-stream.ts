import { Readable } from 'node:stream';

export interface DrainedBy {
  readonly onStalled: () => void;
  readonly stalledMs: number;
  /** Optional. The time for the whole stream. Default: no limit. */
  readonly wholeMs?: number;
}

/** Calls `onStalled` if the consumer does not take a chunk for `stalledMs`, or not all of them in `wholeMs`. */
export function drainedStream(chunks: AsyncGenerator<string, void, void>, drainedBy: DrainedBy): Readable {
  return Readable.from(watched(chunks, drainedBy), { objectMode: true, highWaterMark: 1 });
}

async function* watched(chunks: AsyncGenerator<string, void, void>, { onStalled, stalledMs, wholeMs }: DrainedBy) {
  const whole = wholeMs === undefined ? undefined : setTimeout(onStalled, wholeMs);
  try {
    for await (const chunk of chunks) {
      const stalled = setTimeout(onStalled, stalledMs);
      try {
        yield chunk;
      } finally {
        clearTimeout(stalled);
      }
    }
  } finally {
    clearTimeout(whole);
  }
}
