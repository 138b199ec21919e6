import { randomUUID } from 'node:crypto';
import { chatappWordField, upstreamChatappWord } from '../client/chatapp-word.ts';

export interface UploadedFile {
  readonly bytes: AsyncIterable<Buffer>;
  /** The file's type, or `multipart/form-data` with its boundary. */
  readonly contentType: string;
  readonly length: number | null;
}

interface MultipartBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Buffer>;
}

const FORM = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))\s*(?:;.*)?$/i;
const BOUNDARY = /^[A-Za-z0-9'()+_,./:=?-]{1,70}$/;

/** Returns undefined unless the type is a form with a valid boundary. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] = FORM.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  return boundary !== undefined && BOUNDARY.test(boundary) ? boundary : undefined;
}

export function multipartOf(file: UploadedFile): MultipartBody {
  const given = boundaryOf(file.contentType);
  const boundary = given ?? randomUUID();
  const product = part(boundary, `name="${chatappWordField}"`) + upstreamChatappWord + CRLF;
  const head = given === undefined ? product + filePart(boundary, file.contentType) : product;
  const tail = given === undefined ? `${CRLF}--${boundary}--${CRLF}` : '';
  const { length } = file;
  const total = length === null ? null : Buffer.byteLength(head) + length + Buffer.byteLength(tail);
  return {
    headers: {
      'content-type': `multipart/form-data; boundary="${boundary}"`,
      ...(total !== null && { 'content-length': String(total) }),
    },
    body: framed(file.bytes, { head, tail }),
  };
}

const CRLF = '\r\n';

function part(boundary: string, disposition: string): string {
  return `--${boundary}${CRLF}content-disposition: form-data; ${disposition}${CRLF}${CRLF}`;
}

function filePart(boundary: string, contentType: string): string {
  const type = `${part(boundary, 'name="type"')}${contentType}${CRLF}`;
  const head = `--${boundary}${CRLF}content-disposition: form-data; name="file"; filename="file"${CRLF}`;
  return `${type}${head}content-type: ${contentType}${CRLF}${CRLF}`;
}

async function* framed(
  bytes: AsyncIterable<Buffer>,
  { head, tail }: { readonly head: string; readonly tail: string },
): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  yield* bytes;
  if (tail !== '') yield Buffer.from(tail);
}
