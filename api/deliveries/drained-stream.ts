import { Readable } from 'node:stream';

export interface DrainedBy {
  readonly onStalled: () => void;
  readonly stalledMs: number;
}

/** Calls `onStalled` if the consumer does not take a chunk for `stalledMs`. */
export function drainedStream(
  chunks: AsyncGenerator<string, void, void>,
  { onStalled, stalledMs }: DrainedBy,
): Readable {
  return Readable.from(watched(chunks, { onStalled, stalledMs }), { objectMode: true, highWaterMark: 1 });
}

async function* watched(chunks: AsyncGenerator<string, void, void>, { onStalled, stalledMs }: DrainedBy) {
  for await (const chunk of chunks) {
    const stalled = setTimeout(onStalled, stalledMs);
    try {
      yield chunk;
    } finally {
      clearTimeout(stalled);
    }
  }
}
