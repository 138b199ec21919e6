import { DEFAULT_OVERLAP_SECONDS } from '../../contract/channel-token.ts';
import { channelRoutes as routes } from '../../contract/routes/channels.ts';
import { recordAudit } from '../../db/audit-entries.ts';
import { ensureChannelToken } from '../../db/channel-tokens.ts';
import type { ChannelRecord } from '../../db/queries/channel-records.ts';
import { findWebhookConfig } from '../../db/webhook-configs.ts';
import { readWebhookSecret } from '../../db/webhook-secrets.ts';
import { type AuditedRequest, auditContext } from '../access/audit-context.ts';
import { type Mount, mountOperation } from '../operation.ts';
import { gatewayBaseUrl, presentChannelEnv, presentChannelToken } from '../presenters/channel-token.ts';
import { disconnected, rotateChannelToken } from '../rotate-channel-token.ts';

export function mountChannelTokenRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, secretBox, tokenSalt, gatewayUrl } = deps;

  mountOperation(mount, routes.getChannelToken, async (request) => {
    const token = await currentToken(request);
    await record(request, 'channelToken.revealed');
    return presentChannelToken(token, gatewayBaseUrl(gatewayUrl, request.channel));
  });

  mountOperation(mount, routes.rotateChannelToken, async (request) => {
    const { channel, body, idempotencyKey } = request;
    const { overlapSeconds = DEFAULT_OVERLAP_SECONDS } = body;
    const requestedBy = auditContext(request);
    const rotated = await rotateChannelToken(deps, { channel, overlapSeconds, idempotencyKey, requestedBy });
    const { token, previousExpiresAt } = rotated;
    return {
      ...presentChannelToken(token, gatewayBaseUrl(gatewayUrl, channel)),
      previousTokenExpiresAt: previousExpiresAt?.toISOString() ?? null,
    };
  });

  mountOperation(mount, routes.getChannelEnv, async (request) => {
    const { channel } = request;
    const key = { channelId: channel.id, channelPublicId: channel.publicId };
    const secrets = {
      token: await currentToken(request),
      hmacSecret: await readWebhookSecret(db, secretBox, key),
      verifyToken: (await findWebhookConfig(db, secretBox, key)).verifyToken,
    };
    await record(request, 'channelEnv.revealed');
    return presentChannelEnv(channel, { secrets, baseUrl: gatewayBaseUrl(gatewayUrl, channel) });
  });

  async function currentToken(request: TokenRequest): Promise<string> {
    const { id: channelId, publicId: channelPublicId } = request.channel;
    const asked = { channelId, channelPublicId, audit: auditContext(request) };
    const token = await ensureChannelToken(db, { secretBox, tokenSalt }, asked);
    if (token === undefined) throw disconnected();
    return token;
  }

  async function record(request: TokenRequest, action: string): Promise<void> {
    await recordAudit(db, { ...auditContext(request), action, targetId: request.channel.publicId });
  }
}

type TokenRequest = AuditedRequest & { readonly channel: ChannelRecord };
