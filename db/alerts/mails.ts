import type { Knex } from 'knex';
import type { AlertSubject } from '../../contract/alerts/subject-page.ts';
import { queryRows } from '../core/query-rows.ts';
import { alertsOfDigestSql } from './alerts.ts';

/**
 * Whether an email `m` of a digest `d` can be sent now. The emails of a person go in order, so that an end never precedes
 * its start.
 */
export const isDueMailSql = `m.sent_at is null and m.failed_at is null and m.next_attempt_at <= now()
    and not exists (select from alert_mails earlier join alert_digests first on first.id = earlier.digest_id
      where earlier.user_id = m.user_id and earlier.digest_id < m.digest_id and first.organization_id = d.organization_id
        and earlier.sent_at is null and earlier.failed_at is null)`;

/**
 * Whether the email `before` showed the start of an alert `a`, or still may: it leaves out what ended before it was sent.
 * The minute covers an end that was written while the email was read. An end too many does less harm than one too few.
 */
const showsStartSql = `before.failed_at is null
      and (before.sent_at is null or before.claimed_at < a.resolved_at + interval '1 minute')`;

/**
 * Whether a person gets an alert `a` in a digest. Its start counts only while it is open. Its end is for those
 * who got the start, unless a person ended it or it is muted. A member who has lost a workspace gets nothing of it.
 */
export const isWantedSql = (rule: string, member: string): string => `
  (${rule}.workspace_id is null or ${rule}.workspace_id = a.workspace_id)
  and (${rule}.min_severity = 'warning' or a.severity = 'critical')
  and (${rule}.kinds is null or a.kind = any (${rule}.kinds))
  and (${member}.role = 'admin' or exists (
    select from workspace_members wm where wm.workspace_id = a.workspace_id and wm.user_id = ${member}.user_id))
  and (a.opened_digest_id = :digestId and a.resolved_at is null or a.opened_digest_id <> :digestId
    and a.resolution = 'ended' and (a.muted_until is null or a.muted_until <= now())
    and exists (select from alert_mails before
      where before.digest_id = a.opened_digest_id and before.user_id = ${member}.user_id and ${showsStartSql}))`;

export interface UnsentMail {
  readonly digestId: number;
  readonly userId: number;
  readonly userPublicId: string;
  readonly email: string;
  readonly organizationName: string;
}

/** Reserves the next email of an organization. Returns undefined if none is due, or others are being sent. */
export async function claimMail(
  db: Knex,
  { organizationPublicId, claimMs }: { readonly organizationPublicId: string; readonly claimMs: number },
): Promise<UnsentMail | undefined> {
  const [mail] = await queryRows<UnsentMail>(db, claimSql, { organizationPublicId, claimMs });
  return mail;
}

const claimSql = `
with next as materialized (
  select m.digest_id, m.user_id, o.name as organization_name
  from organizations o join alert_digests d on d.organization_id = o.id
  join alert_mails m on m.digest_id = d.id and ${isDueMailSql}
    and (m.claimed_at is null or m.claimed_at < now() - :claimMs * interval '1 millisecond')
  where o.public_id = :organizationPublicId
  order by m.digest_id, m.user_id limit 1 for update of m skip locked
)
update alert_mails m set claimed_at = now() from next, users u
where m.digest_id = next.digest_id and m.user_id = next.user_id and u.id = m.user_id
returning m.digest_id as "digestId", m.user_id as "userId", u.public_id as "userPublicId", u.email,
  next.organization_name as "organizationName"`;

/** After a failure: others are sent meanwhile. A repeat postpones it once more, which does no harm. */
export async function postponeMail(
  db: Knex,
  { digestId, userId }: { readonly digestId: number; readonly userId: number },
): Promise<void> {
  await queryRows(
    db,
    `update alert_mails m set claimed_at = null, ${postponedSql}
     where m.digest_id = :digestId and m.user_id = :userId and m.sent_at is null and m.failed_at is null`,
    { digestId, userId, ...waits },
  );
}

/** Postpones all due emails of an organization, because none can be sent. */
export async function postponeMails(
  db: Knex,
  { organizationPublicId }: { readonly organizationPublicId: string },
): Promise<void> {
  await queryRows(
    db,
    `update alert_mails m set claimed_at = null, ${postponedSql}
     from alert_digests d join organizations o on o.id = d.organization_id
     where o.public_id = :organizationPublicId and d.id = m.digest_id and m.next_attempt_at <= now()
       and m.sent_at is null and m.failed_at is null`,
    { organizationPublicId, ...waits },
  );
}

const waits = { firstWaitMs: 30_000, longestWaitMs: 3_600_000 };
/** The exponent is bounded, because the power would overflow. */
const postponedSql = `attempt_count = m.attempt_count + 1, next_attempt_at = now()
  + least(:firstWaitMs * 2 ^ least(m.attempt_count, 20), :longestWaitMs) * interval '1 millisecond'`;

export interface MailedAlert {
  readonly kind: string;
  readonly severity: string;
  readonly label: string;
  readonly reason: string | null;
  readonly occurrences: number;
  readonly openedAt: Date;
  readonly subject: AlertSubject;
  readonly workspacePublicId: string | null;
  readonly isOver: boolean;
  /** Of its section, including those that are not listed. */
  readonly count: number;
}

/** Returns the first alerts of both sections. Empty if the person no longer wants or may see any of them. */
export async function readMailedAlerts(
  db: Knex,
  { digestId, userId, limit }: { readonly digestId: number; readonly userId: number; readonly limit: number },
): Promise<MailedAlert[]> {
  return await queryRows<MailedAlert>(db, mailedSql, { digestId, userId, limit });
}

const mailedSql = `
select kind, severity, subject_label as label, reason, occurrences, opened_at as "openedAt",
  json_build_object('type', subject_type, 'id', subject_id,
    'channelId', (select public_id from channels where id = mailed.channel_id)) as subject,
  (select public_id from workspaces where id = mailed.workspace_id) as "workspacePublicId", is_over as "isOver", count::int
from (
  select a.*, a.resolved_digest_id is not distinct from :digestId as is_over,
    row_number() over (partition by a.resolved_digest_id is not distinct from :digestId order by a.severity, a.id) as nth,
    count(*) over (partition by a.resolved_digest_id is not distinct from :digestId) as count
  from ${alertsOfDigestSql} a
  join organization_members m on m.organization_id = a.organization_id and m.user_id = :userId
  where exists (select from alert_rules r
    where r.organization_id = a.organization_id and r.user_id = m.user_id and ${isWantedSql('r', 'm')})
) mailed
where nth <= :limit order by is_over, nth`;

export async function endMail(
  db: Knex,
  { digestId, userId, as }: { readonly digestId: number; readonly userId: number; readonly as: 'sent' | 'failed' },
): Promise<void> {
  await db('alert_mails')
    .where({ digest_id: digestId, user_id: userId, sent_at: null, failed_at: null })
    .update({ [`${as}_at`]: db.fn.now() });
}

/** Returns the number of emails that were given up. */
export async function giveUpMails(db: Knex, { lifeMs }: { readonly lifeMs: number }): Promise<number> {
  const given = await queryRows(
    db,
    `update alert_mails m set failed_at = now() from alert_digests d
     where d.id = m.digest_id and m.sent_at is null and m.failed_at is null
       and d.created_at < now() - :lifeMs * interval '1 millisecond' returning 1`,
    { lifeMs },
  );
  return given.length;
}
