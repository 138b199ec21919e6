import type { Knex } from 'knex';
import { type AuditEntry, recordAudit } from '../audit/record-audit.ts';
import { moveAttempt } from './attempts.ts';
import type { OnboardingLink } from './link-record.ts';
import { lockLiveLink } from './links.ts';

/**
 * `taken`: the account is connected to another live channel. `ended`: the attempt or its link is no longer valid.
 * `expired` and `used_up`: the link ended during the attempt. `limit_reached`: the organization has no place for another
 * customer.
 */
export interface Refusal {
  readonly outcome: 'taken' | 'ended' | 'expired' | 'used_up' | 'limit_reached';
}

interface OnboardingRequest {
  readonly requestId: string;
  readonly clientAddress: string;
}

type OnboardingAudit = Pick<AuditEntry, 'action' | 'reason' | 'targetId' | 'workspaceId'> & {
  readonly link: Pick<OnboardingLink, 'organizationId' | 'workspaceId' | 'publicId'>;
  readonly request: OnboardingRequest;
};

/** Customers have no user account, so onboarding itself is the actor. */
export async function auditOnboarding(trx: Knex, { link, request, ...entry }: OnboardingAudit): Promise<void> {
  await recordAudit(trx, {
    organizationId: link.organizationId,
    workspaceId: link.workspaceId,
    actor: { type: 'system', id: 'onboarding' },
    targetId: link.publicId,
    requestId: request.requestId,
    clientAddress: request.clientAddress,
    ...entry,
  });
}

/** The customer gave no permission. */
export async function refuseAttempt(
  db: Knex,
  refusal: Pick<OnboardingAudit, 'link' | 'request'> & { readonly attemptId: number },
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    if (!(await moveAttempt(trx, refusal.attemptId, { from: 'begun', to: 'refused' }))) return false;
    const { link, request } = refusal;
    await auditOnboarding(trx, { link, request, action: 'onboarding.refused', reason: 'access_denied' });
    return true;
  });
}

/** Returns undefined if the link has not ended. */
export async function refuseAtEnd(
  trx: Knex,
  { link, attemptId }: { readonly link: OnboardingLink; readonly attemptId: number },
): Promise<Refusal | undefined> {
  if (!link.isExpired && !link.isUsedUp) return undefined;
  // A second click finds the attempt that took the last use.
  if (!(await moveAttempt(trx, attemptId, { from: 'granted', to: 'failed' }))) return { outcome: 'ended' };
  return { outcome: link.isExpired ? 'expired' : 'used_up' };
}

export async function refuseAtLimit(
  db: Knex,
  { linkId, attemptId, ...request }: OnboardingRequest & { readonly linkId: number; readonly attemptId: number },
): Promise<Refusal> {
  return await db.transaction(async (trx) => {
    const link = await lockLiveLink(trx, linkId);
    if (!link || !(await moveAttempt(trx, attemptId, { from: 'granted', to: 'failed' }))) return { outcome: 'ended' };
    await auditOnboarding(trx, { link, request, action: 'onboarding.refused', reason: 'LIMIT_REACHED' });
    return { outcome: 'limit_reached' };
  });
}
