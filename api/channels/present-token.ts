import { secretEnds } from '../../contract/channels/token.ts';
import type { GatewayScope } from '../../contract/identity/scopes.ts';
import type { ChannelEnvBody, ChannelTokenBody } from '../../openapi/channels/token-schema.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { apiVersions } from '../../platform/client/chatapp-word.ts';

export function gatewayBaseUrl(gatewayUrl: string, { type }: Pick<ChannelRecord, 'type'>): string {
  return `${gatewayUrl}/platform/${apiVersions[type]}`;
}

export interface TokenSurroundings {
  readonly baseUrl: string;
  readonly scopes: readonly GatewayScope[] | null;
  /** The end of the key that holds the token. */
  readonly expiresAt: Date | null;
}

export function presentChannelToken(
  token: string,
  { baseUrl, scopes, expiresAt }: TokenSurroundings,
): ChannelTokenBody {
  const { prefix: tokenPrefix, suffix: tokenSuffix } = secretEnds(token);
  return {
    token,
    tokenPrefix,
    tokenSuffix,
    baseUrl,
    scopes: scopes && [...scopes],
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

export interface ChannelSecrets {
  readonly token: string;
  readonly hmacSecret: string;
  readonly verifyToken: string;
}

export interface ChannelEnvParts {
  readonly secrets: ChannelSecrets;
  readonly baseUrl: string;
}

export function presentChannelEnv(channel: ChannelRecord, { secrets, baseUrl }: ChannelEnvParts): ChannelEnvBody {
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
