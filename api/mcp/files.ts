import { Readable } from 'node:stream';
import type { ContentBlock } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { HttpError, InvalidRequest, PayloadTooLarge } from '../requests/errors.ts';
import type { FileAnswer } from '../routing/mount-route.ts';
import type { UploadRequest } from '../routing/route-call.ts';

/** Fits into the 1 MiB limit of a request in base64. */
export const MAX_UPLOAD_BYTES = 700 * 1024;
/** Fits into a model's context. Larger files need the plain API. */
const MAX_DOWNLOAD_BYTES = 1024 * 1024;

export function uploadOf({
  contentType,
  data,
}: {
  readonly contentType: unknown;
  readonly data: unknown;
}): UploadRequest {
  if (typeof contentType !== 'string') throw new InvalidRequest('contentType: must be a string.');
  const encoded = z.base64().min(1).safeParse(data);
  if (!encoded.success) throw new InvalidRequest('data: must be a file in base64.');
  const bytes = Buffer.from(encoded.data, 'base64');
  if (bytes.length > MAX_UPLOAD_BYTES) throw new PayloadTooLarge(MAX_UPLOAD_BYTES);
  return { bytes: Readable.from([bytes]), contentType, length: bytes.length };
}

export async function fileContent({ bytes, contentType }: FileAnswer, uri: string): Promise<ContentBlock> {
  const data = (await wholeOf(bytes, uri)).toString('base64');
  const mimeType = contentType ?? 'application/octet-stream';
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  return { type: 'resource', resource: { uri, mimeType, blob: data } };
}

async function wholeOf(bytes: Readable, uri: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop early closes the stream.
  for await (const chunk of bytes as AsyncIterable<Buffer> & Readable) {
    length += chunk.length;
    if (length > MAX_DOWNLOAD_BYTES) throw tooLarge(uri);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(uri: string): HttpError {
  const message = `The file is larger than the ${MAX_DOWNLOAD_BYTES} bytes that a tool returns. Fetch it with GET ${uri}.`;
  return new HttpError('PAYLOAD_TOO_LARGE', message);
}
