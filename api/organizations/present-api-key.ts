import type { ApiKeyBody } from '../../openapi/organizations/api-key-routes.ts';
import type { ApiKeyRecord } from '../../db/organizations/api-keys.ts';

/** Enough to identify a key without revealing it. */
const SHOWN_START = 14;
const SHOWN_END = 4;

export function presentApiKey(key: ApiKeyRecord, token: string): ApiKeyBody {
  return {
    keyId: key.publicId,
    agentCredentialId: key.agentCredentialId,
    name: key.name,
    keyPrefix: token.slice(0, SHOWN_START),
    keySuffix: token.slice(-SHOWN_END),
    ...presentLimits(key),
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  };
}

type Limits = Pick<ApiKeyRecord, 'scopes' | 'workspaceIds' | 'allowedCidrs'>;

export function presentLimits({ scopes, workspaceIds, allowedCidrs }: Limits) {
  return {
    scopes: scopes && [...scopes],
    workspaceIds: workspaceIds && [...workspaceIds],
    allowedCidrs: allowedCidrs && [...allowedCidrs],
  };
}
