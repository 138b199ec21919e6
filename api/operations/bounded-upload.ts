import { pipeline, type Readable } from 'node:stream';
import { type FormProblem, watchFieldNames } from '../../platform/forwarding/multipart-fields.ts';
import { boundaryOf, type UploadedFile } from '../../platform/operations/multipart.ts';
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '../requests/errors.ts';
import type { UploadRequest } from '../routing/operation-call.ts';

/** The platform's limit for media. Documents may be larger. */
const MAX_MEDIA_BYTES = 16 * 1024 * 1024;
/** Allowance for a form's other fields and boundaries. */
const FORM_BYTES = 16 * 1024;
const MEDIA = /^(?:image|audio|video)\//i;
const TYPE = /^[A-Za-z0-9!#$&^_.+-]{1,64}\/[A-Za-z0-9!#$&^_.+-]{1,128}(?:\s*;[\x20-\x7e]{0,200})?$/;

export interface BoundedUpload {
  readonly file: UploadedFile;
  /** Takes precedence over the call's outcome. */
  readonly refusal: () => InvalidRequest | PayloadTooLarge | undefined;
}

export function boundedUpload(
  { bytes, contentType, length }: UploadRequest,
  { maxBytes, chatappWord }: { readonly maxBytes: number; readonly chatappWord: string },
): BoundedUpload {
  const isForm = /^multipart\//i.test(contentType);
  const boundary = boundaryOf(contentType);
  if (isForm ? boundary === undefined : !TYPE.test(contentType)) throw new UnsupportedMediaType(FILE_TYPES);
  const limit = limitOf(contentType, { maxBytes, isForm });
  if (length !== null && length > limit) throw new PayloadTooLarge(limit);
  let refusal: InvalidRequest | PayloadTooLarge | undefined;

  async function* counted(): AsyncGenerator<Buffer> {
    let count = 0;
    for await (const chunk of bytes as AsyncIterable<Buffer> & Readable) {
      count += chunk.length;
      if (count > limit) throw (refusal = new PayloadTooLarge(limit));
      yield chunk;
    }
  }

  async function* watched(formBoundary: string): AsyncGenerator<Buffer> {
    const refusalOf = ({ text }: FormProblem): Error => (refusal = new InvalidRequest(text));
    const keepsLength = length !== null;
    const watcher = watchFieldNames({ boundary: formBoundary, refusalOf, chatappWord, keepsLength });
    // The reader of `watcher` gets the errors.
    pipeline(counted(), watcher, () => undefined);
    yield* watcher;
  }

  const checked = boundary === undefined ? counted() : watched(boundary);
  return { file: { bytes: checked, contentType, length }, refusal: () => refusal };
}

const FILE_TYPES =
  'The body must be a file with its own Content-Type, or a form (multipart/form-data) with the field file.';

function limitOf(contentType: string, { maxBytes, isForm }: { maxBytes: number; isForm: boolean }): number {
  if (isForm) return maxBytes + FORM_BYTES;
  return MEDIA.test(contentType) ? Math.min(MAX_MEDIA_BYTES, maxBytes) : maxBytes;
}
