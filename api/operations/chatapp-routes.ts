import { recordAudit } from '../../db/audit/record-audit.ts';
import { markRegistered } from '../../db/channels/registration.ts';
import { chatappRoutes as routes } from '../../openapi/operations/chatapp-routes.ts';
import { downloadFile, listTemplates, uploadFile, registerNumber } from '../../platform/operations/chatapp-content.ts';
import { PlatformRejected } from '../../platform/client/errors.ts';
import { registrationProblemOf } from '../../platform/client/number-registration.ts';
import { auditContext } from '../access/audit-context.ts';
import { InvalidRequest } from '../requests/errors.ts';
import type { Mount } from '../routing/operation.ts';
import { mountPlatformOperation } from './platform-operation.ts';
import { boundedUpload } from './bounded-upload.ts';

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
      const { file, refusal } = boundedUpload(upload, { maxBytes, chatappWord: client.chatappWord });
      const { mediaId } = await uploadFile(client, file).catch((error: unknown) => {
        throw refusal() ?? error;
      });
      return { channelId: channel.publicId, mediaId };
    },
  });

  mountPlatformOperation(mount, routes.downloadChatappMedia, {
    types,
    act: async (client, { params }) => {
      return await downloadFile(client, params.mediaId);
    },
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
