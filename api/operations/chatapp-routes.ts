import { recordAudit } from '../../db/audit/record-audit.ts';
import { markRegistered } from '../../db/channels/registration.ts';
import { chatappRoutes as routes } from '../../openapi/operations/chatapp-routes.ts';
import { downloadFile, listTemplates, uploadFile, registerNumber } from '../../platform/operations/chatapp-content.ts';
import { upstreamChatappWord } from '../../platform/client/chatapp-word.ts';
import { PlatformRejected } from '../../platform/client/errors.ts';
import { registrationProblemOf } from '../../platform/client/number-registration.ts';
import { auditContext } from '../access/audit-context.ts';
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '../requests/errors.ts';
import type { Mount } from '../routing/mount-route.ts';
import { mountPlatformOperation } from './platform-operation.ts';
import { pipeline, type Readable } from 'node:stream';
import { type FormProblem, watchFieldNames } from '../../platform/forwarding/multipart-fields.ts';
import { boundaryOf, type UploadedFile } from '../../platform/operations/multipart.ts';
import type { UploadRequest } from '../routing/route-call.ts';

const types = ['chatapp'] as const;

export function mountChatappRoutes(mount: Mount): void {
  const { db, maxUploadBytes: maxBytes } = mount.deps;

  mountPlatformOperation(mount, routes.listChatappTemplates, {
    types,
    act: async (client, { query }) => {
      const { items, nextCursor } = await listTemplates(client, query);
      return { templates: items, nextCursor };
    },
  });

  mountPlatformOperation(mount, routes.uploadChatappMedia, {
    types,
    check: 'Nothing was sent to anyone, and you can upload the file again.',
    act: async (client, { channel, upload }) => {
      const { file, refusal } = boundedUpload(upload, maxBytes);
      const { mediaId } = await uploadFile(client, file).catch((error: unknown) => {
        throw refusal() ?? error;
      });
      return { channelId: channel.publicId, mediaId };
    },
  });

  mountPlatformOperation(mount, routes.downloadChatappMedia, {
    types,
    act: async (client, { params }) => await downloadFile(client, params.mediaId),
  });
  mountPlatformOperation(mount, routes.registerChatappNumber, {
    types,
    check: 'You can register the number again with the same PIN.',
    act: async (client, request) => {
      const { channel, body } = request;
      await registerNumber(client, body.pin).catch((error: unknown) => {
        throw registrationRefusal(error) ?? error;
      });
      await db.transaction(async (trx) => {
        await markRegistered(trx, channel.id);
        await recordAudit(trx, { ...auditContext(request), action: 'channel.registered', targetId: channel.publicId });
      });
      return { channelId: channel.publicId, registered: true as const };
    },
  });
}

/** What only the caller can mend. */
function registrationRefusal(error: unknown): InvalidRequest | undefined {
  const problem = error instanceof PlatformRejected ? registrationProblemOf(error) : undefined;
  if (problem === 'wrong_pin') {
    return new InvalidRequest(
      "The PIN is wrong. Use the PIN of the number's two-step verification, or reset it there.",
    );
  }
  return problem === 'not_verified'
    ? new InvalidRequest('The number is not verified. Verify it with a code at the platform, then register it.')
    : undefined;
}

/** The platform's limit for media. Documents may be larger. */
const MAX_MEDIA_BYTES = 16 * 1024 * 1024;
/** Allowance for a form's other fields and boundaries. */
const FORM_BYTES = 16 * 1024;
const MEDIA = /^(?:image|audio|video)\//i;
const TYPE = /^[A-Za-z0-9!#$&^_.+-]{1,64}\/[A-Za-z0-9!#$&^_.+-]{1,128}(?:\s*;[\x20-\x7e]{0,200})?$/;

interface BoundedUpload {
  readonly file: UploadedFile;
  /** Takes precedence over the call's outcome. */
  readonly refusal: () => InvalidRequest | PayloadTooLarge | undefined;
}

function boundedUpload({ bytes, contentType, length }: UploadRequest, maxBytes: number): BoundedUpload {
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
    const watcher = watchFieldNames({
      boundary: formBoundary,
      refusalOf,
      chatappWord: upstreamChatappWord,
      keepsLength,
    });
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
