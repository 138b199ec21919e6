import { Transform } from 'node:stream';
import { platformAway, tooLarge } from '../calls/refusal.ts';
import type { UpstreamAnswer } from './upstream.ts';

/** Reads an answer whole; one that is too large, or breaks off, is an answer that did not come. */
export async function readBounded(answer: UpstreamAnswer, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer.body) {
      const bytes: Buffer = chunk;
      length += bytes.length;
      if (length > maxBytes)
        throw platformAway(`The platform's answer is larger than ${maxBytes} bytes. Ask for less.`);
      chunks.push(bytes);
    }
  } catch (error) {
    answer.finish('answer_lost');
    throw answer.lost(error);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length);
}

/** Passes bytes on up to a limit. */
export function limitBytes(maxBytes: number): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > maxBytes) done(tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
}
