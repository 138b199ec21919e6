import { DEFAULT_OVERLAP_SECONDS, secretEnds } from '../../contract/channels/token.ts';
import { channelRoutes as routes } from '../../openapi/channels/routes.ts';
import { type ChannelToken, ensureChannelToken } from '../../db/channels/tokens.ts';
import { readWebhookConfig } from '../../db/webhooks/configs.ts';
import { readWebhookSecret } from '../../db/webhooks/secrets.ts';
import { auditContext } from '../access/audit-context.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { recordReveal, type RevealRequest, tokenHolderOf } from '../access/record-reveal.ts';
import { disconnected, rotateChannelToken } from './rotate-channel-token.ts';
import type { GatewayScope } from '../../contract/identity/scopes.ts';
import type { ChannelEnvBody } from '../../openapi/channels/token-schema.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { apiVersions } from '../../platform/client/chatapp-word.ts';

export function mountChannelTokenRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, secretBox, tokenSalt, gatewayUrl } = deps;

  mountRoute(mount, routes.getChannelToken, async (request) => {
    const { id, token } = await currentToken(request);
    await recordReveal(db, request, { action: 'channelToken.revealed', secrets: [{ kind: 'token', number: id }] });
    return presentChannelToken(token, surroundings(request));
  });

  mountRoute(mount, routes.rotateChannelToken, async (request) => {
    const { channel, principal, body, idempotencyKey } = request;
    const { overlapSeconds = DEFAULT_OVERLAP_SECONDS } = body;
    const holderKeyId = tokenHolderOf(principal)?.apiKeyId ?? null;
    const requestedBy = auditContext(request);
    const rotation = { channel, holderKeyId, overlapSeconds, idempotencyKey, requestedBy };
    const { id, token, previousExpiresAt } = await rotateChannelToken(deps, rotation);
    await recordReveal(db, request, { secrets: [{ kind: 'token', number: id }] });
    return { ...presentChannelToken(token, surroundings(request)), previousTokenExpiresAt: previousExpiresAt };
  });

  mountRoute(mount, routes.getChannelEnv, async (request) => {
    const { channel } = request;
    const key = { channelId: channel.id, channelPublicId: channel.publicId };
    const token = await currentToken(request);
    const webhookSecret = await readWebhookSecret(db, secretBox, key);
    const { verifyToken, verifyTokenVersion } = await readWebhookConfig(db, secretBox, key);
    await recordReveal(db, request, {
      action: 'channelEnv.revealed',
      secrets: [
        { kind: 'token', number: token.id },
        { kind: 'webhook_secret', number: webhookSecret.id },
        { kind: 'verify_token', number: verifyTokenVersion },
      ],
    });
    const secrets = { token: token.token, hmacSecret: webhookSecret.secret, verifyToken };
    return presentChannelEnv(channel, { secrets, baseUrl: gatewayBaseUrl(gatewayUrl, channel) });
  });

  async function currentToken(request: RevealRequest): Promise<ChannelToken> {
    const { id: channelId, publicId: channelPublicId } = request.channel;
    const holder = tokenHolderOf(request.principal);
    const asked = { channelId, channelPublicId, holder, audit: auditContext(request) };
    const token = await ensureChannelToken(db, { secretBox, tokenSalt }, asked);
    if (!token) throw disconnected();
    return token;
  }

  function surroundings({ channel, principal }: RevealRequest) {
    const scopes = tokenHolderOf(principal)?.scopes ?? null;
    return { baseUrl: gatewayBaseUrl(gatewayUrl, channel), scopes, expiresAt: principal.expiresAt };
  }
}

function gatewayBaseUrl(gatewayUrl: string, { type }: Pick<ChannelRecord, 'type'>): string {
  return `${gatewayUrl}/platform/${apiVersions[type]}`;
}

interface TokenSurroundings {
  readonly baseUrl: string;
  readonly scopes: readonly GatewayScope[] | null;
  /** The end of the key that holds the token. */
  readonly expiresAt: Date | null;
}

function presentChannelToken(token: string, surroundings: TokenSurroundings) {
  const { prefix: tokenPrefix, suffix: tokenSuffix } = secretEnds(token);
  return { ...surroundings, token, tokenPrefix, tokenSuffix };
}

interface ChannelSecrets {
  readonly token: string;
  readonly hmacSecret: string;
  readonly verifyToken: string;
}

interface ChannelEnvParts {
  readonly secrets: ChannelSecrets;
  readonly baseUrl: string;
}

function presentChannelEnv(channel: ChannelRecord, { secrets, baseUrl }: ChannelEnvParts): ChannelEnvBody {
  const { type, resourceId, businessAccountId } = channel;
  const shared = {
    PLATFORM_GRAPH_API_URL: baseUrl,
    SERVICE_CHANNEL_ID: channel.publicId,
    SERVICE_WORKSPACE_ID: channel.workspacePublicId,
    VERIFY_TOKEN: secrets.verifyToken,
    WEBHOOK_HMAC_SECRET: secrets.hmacSecret,
  };
  const { token } = secrets;
  const ofType = {
    chatapp: { CHATAPP_ACCESS_TOKEN: token, CHATAPP_RESOURCE_ID: resourceId },
    photoapp: { PHOTOAPP_ACCESS_TOKEN: token, PHOTOAPP_RESOURCE_ID: resourceId },
    pageapp: { PAGEAPP_ACCESS_TOKEN: token, PAGEAPP_RESOURCE_ID: resourceId },
  };
  return { channelType: type, values: { ...shared, ...ofType[type] }, businessAccountId };
}
