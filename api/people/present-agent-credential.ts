import type { AgentCredentialBody } from '../../openapi/people/agent-schema.ts';
import type { AgentCredential } from '../../db/people/agent-credentials.ts';

export function presentAgentCredential(credential: AgentCredential): AgentCredentialBody {
  return {
    credentialId: credential.publicId,
    organizationPublicId: credential.organizationPublicId,
    email: credential.email,
    scopes: [...credential.scopes],
    createdAt: credential.createdAt.toISOString(),
    lastUsedAt: credential.lastUsedAt?.toISOString() ?? null,
    expiresAt: credential.expiresAt?.toISOString() ?? null,
  };
}
