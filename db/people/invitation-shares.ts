import type { Knex } from 'knex';

/**
 * How many mails of invitations go out: by an organization, to an address and from the installation. Strangers must not
 * flood a mailbox in our name, nor use up what others may send. A new organization, self-made and not a month old, gets
 * few; what new ones send never keeps a settled one from reaching somebody.
 */
interface InvitationQuota {
  /** Mails of invitations a day, from the whole installation. */
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
/** An address that does not answer is not asked more often, however many organizations want it. */
const PER_ADDRESS_PER_DAY = 3;
/** Of the installation's, for new organizations together. */
const SHARE_OF_NEW = 0.5;

/** An arbitrary number that names this lock among this database's advisory locks. */
const INVITATION_LOCK = 70_214;

interface Share {
  readonly where: string;
  readonly limit: number;
  readonly window: '1 hour' | '1 day';
}

/**
 * Returns 0 where another invitation may go out now, else the seconds to wait. Runs under the organization's lock, and
 * takes one for all invitations until the transaction ends, so that a burst is counted right.
 */
export async function secondsUntilInvitation(
  trx: Knex,
  { request, quota }: { readonly request: InvitationRequest; readonly quota: InvitationQuota },
): Promise<number> {
  await trx.raw('select pg_advisory_xact_lock(?)', [INVITATION_LOCK]);
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
  const { rows } = await trx.raw<{ rows: { is_new: boolean; is_self_made: boolean }[] }>(
    `select ${isNewSql} as is_new, o.made_by is not null as is_self_made from organizations o where o.id = ?`,
    [request.organizationId],
  );
  const { is_new: isNew, is_self_made: isSelfMade } = rows[0] ?? { is_new: true, is_self_made: true };
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

/** When the oldest invitation that counts leaves the window, there is room for one more. */
async function secondsUntilFree(
  trx: Knex,
  { where, limit, window }: Share,
  { organizationId, email }: InvitationRequest,
): Promise<number> {
  const { rows } = await trx.raw<{ rows: { seconds: number }[] }>(
    `select ceil(extract(epoch from i.created_at + interval '${window}' - now()))::int as seconds
     from invitations i join organizations o on o.id = i.organization_id
     where ${where} and i.created_at > now() - interval '${window}'
     order by i.created_at desc, i.id desc offset :before limit 1`,
    { organizationId, email, before: Math.max(0, limit - 1) },
  );
  return rows[0] ? Math.max(rows[0].seconds, 1) : 0;
}
