import type { MemberKeyBody, SecretRevealBody } from '../../openapi/reveals/routes.ts';
import type { MemberKey } from '../../db/reveals/member-keys.ts';
import type { RevealRecord } from '../../db/reveals/list-reveals.ts';

export function presentReveal(reveal: RevealRecord): SecretRevealBody {
  return {
    channelId: reveal.channelPublicId,
    workspaceId: reveal.workspacePublicId,
    displayName: reveal.displayName,
    kind: reveal.kind,
    revealedTo: reveal.readerId,
    firstRevealedAt: reveal.firstRevealedAt.toISOString(),
    lastRevealedAt: reveal.lastRevealedAt.toISOString(),
    revealCount: reveal.count,
    current: reveal.isCurrent,
    endsAt: reveal.endsAt?.toISOString() ?? null,
  };
}

export function presentMemberKey(key: MemberKey): MemberKeyBody {
  return {
    keyId: key.publicId,
    agentCredentialId: key.agentCredentialId,
    name: key.name,
    scopes: key.scopes && [...key.scopes],
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    relation: key.relation,
  };
}
