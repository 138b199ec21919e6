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
  /** The audit entry. Optional: omit it where the act that makes the secret has its own entry. */
  readonly action?: string;
  /** Whether only the first time is audited, for answers that clients read again and again. */
  readonly auditsOnce?: boolean;
}

/**
 * Records that the caller is shown secrets of a channel. Routes call it before they answer, so that nothing is shown
 * that is not on record.
 */
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

/** Returns whose channel token the caller gets: a limited key its own, everybody else the shared one. */
export function tokenHolderOf({ apiKeyId, scopes }: Principal): TokenHolder | null {
  return apiKeyId === null || scopes === null ? null : { apiKeyId, scopes: gatewayScopesOf(scopes) };
}
