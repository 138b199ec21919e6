import type { IncomingMessage } from 'node:http';
import { PayloadTooLarge } from '../errors.ts';

/** Reads the raw bytes of a request, at most `maxBytes`; the signature is over these and no others. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new PayloadTooLarge(maxBytes);
  return await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.pause();
        reject(new PayloadTooLarge(maxBytes));
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('aborted', () => reject(new Error('The request ended before its body did')));
  });
}
