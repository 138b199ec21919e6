import type { Knex } from 'knex';
import { gatewayScopesOf } from '../../contract/identity/scopes.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import type { TokenHolder } from '../../db/channels/tokens.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { insertReveals, type SecretVersion } from '../../db/reveals/insert-reveals.ts';
import { type AuditedRequest, auditContext } from './audit-context.ts';
import type { Principal } from '../requests/state.ts';

export type RevealRequest = AuditedRequest & { readonly channel: ChannelRecord };

export interface Reveal {
  readonly secrets: readonly SecretVersion[];
  /** Optional. Omit if creating the secret is audited. */
  readonly action?: string;
  /** Optional. Audits only the first reveal. Default: false. */
  readonly auditsOnce?: boolean;
}

/** Routes must call this before they answer, so that no reveal is unrecorded. */
export async function recordReveal(db: Knex, request: RevealRequest, reveal: Reveal): Promise<void> {
  const { principal, channel } = request;
  const { action, secrets, auditsOnce = false } = reveal;
  if (secrets.length === 0) return;
  const { userId, apiKeyId } = principal;
  await db.transaction(async (trx) => {
    const reader = { organizationId: channel.organizationId, channelId: channel.id, userId, apiKeyId };
    const isNew = await insertReveals(trx, { ...reader, secrets });
    if (action === undefined || (auditsOnce && !isNew)) return;
    await recordAudit(trx, { ...auditContext(request), action, targetId: channel.publicId });
  });
}

/** Returns null for the channel's shared token. A key with any limit must not get it: that token has no limits. */
export function tokenHolderOf(principal: Principal): TokenHolder | null {
  const { apiKeyId, scopes, workspaceIds, allowedCidrs, expiresAt } = principal;
  const isLimited = (scopes ?? workspaceIds ?? allowedCidrs ?? expiresAt) !== null;
  return apiKeyId === null || !isLimited ? null : { apiKeyId, scopes: gatewayScopesOf(scopes) };
}
