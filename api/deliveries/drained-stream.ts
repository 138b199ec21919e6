import { Readable } from 'node:stream';

export interface DrainedBy {
  /** Called when what was handed over last has not been taken for this long. */
  readonly onStalled: () => void;
  readonly stalledMs: number;
}

/** A stream that holds one chunk at a time and tells when nobody takes it. */
export function drainedStream(
  chunks: AsyncGenerator<string, void, void>,
  { onStalled, stalledMs }: DrainedBy,
): Readable {
  return Readable.from(watched(chunks, { onStalled, stalledMs }), { objectMode: true, highWaterMark: 1 });
}

/** A consumer asks for the next chunk when it has taken the last. */
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
