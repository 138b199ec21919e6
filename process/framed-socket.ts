import type { TLSSocket } from 'node:tls';

/** A message on a byte stream: the lengths of both parts (4 bytes each, big-endian), a value as JSON, and bytes. */
export interface Frame {
  readonly value: unknown;
  readonly bytes: Buffer;
}

/** Bounds what the other end makes this one hold. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;
/** Notices an end that is gone while nothing is sent, and keeps the connection in the tables of firewalls. */
export const KEEP_ALIVE_MS = 10_000;
const LENGTHS_BYTES = 8;

export function encodeFrame(value: unknown, parts: readonly Uint8Array[] = []): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  lengths.writeUInt32BE(text.length, 0);
  lengths.writeUInt32BE(
    parts.reduce((sum, { length }) => sum + length, 0),
    Uint32Array.BYTES_PER_ELEMENT,
  );
  return Buffer.concat([lengths, text, ...parts]);
}

/** Reads frames until the socket is closed. One that is not valid, or whose handler throws, closes it with the error. */
export function readFrames(socket: TLSSocket, onFrame: (frame: Frame) => void): void {
  const read = createFrameReader(onFrame);
  socket.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** Returns a function that takes the chunks of a stream in order, and throws on what is not a frame. */
export function createFrameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let neededBytes = LENGTHS_BYTES;
  return (chunk) => {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes < neededBytes) return;
    let rest = Buffer.concat(waiting);
    for (neededBytes = frameBytes(rest); rest.length >= neededBytes; neededBytes = frameBytes(rest)) {
      const textEnd = LENGTHS_BYTES + rest.readUInt32BE(0);
      const bytes = rest.subarray(textEnd, neededBytes);
      onFrame({ value: JSON.parse(rest.toString('utf8', LENGTHS_BYTES, textEnd)), bytes });
      rest = rest.subarray(neededBytes);
    }
    waiting = [rest];
    waitingBytes = rest.length;
  };
}

/** Of the first frame. Without its lengths, at least one byte more than there is. */
function frameBytes(stream: Buffer): number {
  if (stream.length < LENGTHS_BYTES) return LENGTHS_BYTES;
  const bytes = LENGTHS_BYTES + stream.readUInt32BE(0) + stream.readUInt32BE(Uint32Array.BYTES_PER_ELEMENT);
  if (bytes > MAX_FRAME_BYTES) throw new RangeError(`A frame has at most ${MAX_FRAME_BYTES} bytes`);
  return bytes;
}
