import type { IncomingMessage } from 'node:http';
import type { BodyReservation } from './body-budget.ts';

export interface BodyReading {
  readonly maxBytes: number;
  readonly reservation: BodyReservation;
  readonly signal?: AbortSignal;
}

export type BodyProblem = 'too_large' | 'no_room' | 'aborted';

/** The memory overhead of a chunk, which a body in chunks of one byte would multiply. */
const CHUNK_BYTES = 256;

/** The caller releases the reservation. */
export async function readBody(request: IncomingMessage, reading: BodyReading): Promise<Buffer | BodyProblem> {
  const { maxBytes, reservation, signal } = reading;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return 'too_large';
  // A destroyed request emits no further events.
  if (request.destroyed || signal?.aborted) return 'aborted';
  return await new Promise<Buffer | BodyProblem>((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (outcome: Buffer | BodyProblem): void => {
      request.off('data', take).off('end', join).off('error', abort).off('close', abort);
      signal?.removeEventListener('abort', abort);
      resolve(outcome);
    };
    const stop = (problem: BodyProblem): void => {
      request.on('error', () => undefined).pause();
      end(problem);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) stop('too_large');
      else if (!reservation.grow(chunks.length === 0 ? chunk.length : chunk.length + CHUNK_BYTES)) stop('no_room');
      else chunks.push(chunk);
    };
    const join = (): void => end(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    const abort = (): void => stop('aborted');
    signal?.addEventListener('abort', abort);
    request.on('data', take).on('end', join).on('error', abort).on('close', abort);
  });
}
