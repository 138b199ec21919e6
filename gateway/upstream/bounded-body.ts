import { Transform } from 'node:stream';
import { PayloadTooLarge, PlatformUnreachable } from '../../process/http-errors.ts';
import type { UpstreamAnswer } from './upstream.ts';

export async function readBounded(answer: UpstreamAnswer, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer.body) {
      const bytes: Buffer = chunk;
      length += bytes.length;
      if (length > maxBytes)
        throw new PlatformUnreachable(`The platform's response is larger than ${maxBytes} bytes. Request less data.`);
      chunks.push(bytes);
    }
  } catch (error) {
    answer.finish('answer_lost');
    throw answer.lost(error);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length);
}

export function limitBytes(maxBytes: number): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > maxBytes) done(new PayloadTooLarge(maxBytes));
      else done(null, chunk);
    },
  });
}
