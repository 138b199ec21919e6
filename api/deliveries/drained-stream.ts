import { Readable } from 'node:stream';

export interface DrainedBy {
  /** Called when the consumer has not taken the last chunk for `stalledMs`. */
  readonly onStalled: () => void;
  readonly stalledMs: number;
}

/** Returns a stream that buffers one chunk and calls `onStalled` if the consumer stops reading. */
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
