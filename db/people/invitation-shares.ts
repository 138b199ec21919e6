import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';

/**
 * Limits invitation emails by organization, address and installation, so that strangers cannot flood a mailbox or use
 * up the shares of others. Organizations that a person created less than 30 days ago have small shares and never block
 * an established one.
 */
interface InvitationQuota {
  readonly perDay: number;
}

interface InvitationRequest {
  readonly organizationId: number;
  /** In lower case. */
  readonly email: string;
}

const NEW_FOR_DAYS = 30;
const NEW_PER_DAY = 5;
const SELF_MADE_PER_DAY = 50;
const BY_OPERATOR_PER_HOUR = 100;
/** Established organizations do not count the emails of new ones. */
const PER_ADDRESS_PER_DAY = 3;
/** Shared by all new organizations. */
const SHARE_OF_NEW = 0.5;

/** An arbitrary advisory lock key. */
const INVITATION_LOCK = 70_214;

interface Share {
  readonly where: string;
  readonly limit: number;
  readonly window: '1 hour' | '1 day';
}

/**
 * Returns 0 if an invitation can be sent now. Requires the organization's lock, and locks all invitations until the
 * transaction ends.
 */
export async function secondsUntilInvitation(
  trx: Knex,
  { request, quota }: { readonly request: InvitationRequest; readonly quota: InvitationQuota },
): Promise<number> {
  await queryRows(trx, 'select pg_advisory_xact_lock(:lock)', { lock: INVITATION_LOCK });
  const shares = await sharesOf(trx, { request, quota });
  let waitSeconds = 0;
  for (const share of shares) waitSeconds = Math.max(waitSeconds, await secondsUntilFree(trx, share, request));
  return waitSeconds;
}

const isNewSql = `(o.made_by is not null and o.created_at > now() - interval '${NEW_FOR_DAYS} days')`;

async function sharesOf(
  trx: Knex,
  { request, quota }: { readonly request: InvitationRequest; readonly quota: InvitationQuota },
): Promise<readonly Share[]> {
  const [organization] = await queryRows<{ isNew: boolean; isSelfMade: boolean }>(
    trx,
    `select ${isNewSql} as "isNew", o.made_by is not null as "isSelfMade" from organizations o where o.id = :organizationId`,
    { organizationId: request.organizationId },
  );
  const { isNew, isSelfMade } = organization ?? { isNew: true, isSelfMade: true };
  const own = 'i.organization_id = :organizationId';
  if (isNew) {
    return [
      { where: own, limit: NEW_PER_DAY, window: '1 day' },
      { where: 'i.email = :email', limit: PER_ADDRESS_PER_DAY, window: '1 day' },
      { where: isNewSql, limit: Math.floor(quota.perDay * SHARE_OF_NEW), window: '1 day' },
    ];
  }
  return [
    isSelfMade
      ? { where: own, limit: SELF_MADE_PER_DAY, window: '1 day' }
      : { where: own, limit: BY_OPERATOR_PER_HOUR, window: '1 hour' },
    { where: `i.email = :email and not ${isNewSql}`, limit: PER_ADDRESS_PER_DAY, window: '1 day' },
    { where: 'true', limit: quota.perDay, window: '1 day' },
  ];
}

async function secondsUntilFree(
  trx: Knex,
  { where, limit, window }: Share,
  { organizationId, email }: InvitationRequest,
): Promise<number> {
  const [oldest] = await queryRows<{ seconds: number }>(
    trx,
    `select ceil(extract(epoch from i.created_at + interval '${window}' - now()))::int as seconds
     from invitations i join organizations o on o.id = i.organization_id
     where ${where} and i.created_at > now() - interval '${window}'
     order by i.created_at desc, i.id desc offset :before limit 1`,
    { organizationId, email, before: Math.max(0, limit - 1) },
  );
  return oldest ? Math.max(oldest.seconds, 1) : 0;
}
