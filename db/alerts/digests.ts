import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { lockOrganization } from '../organizations/organizations.ts';
import { insertAlertCalls } from './alert-calls.ts';
import { alertsOfDigestSql } from './alerts.ts';

/** Alerts that no digest has announced. An acknowledged one needs no email. */
const unannouncedSql = `a.opened_digest_id is null and a.resolved_at is null and a.acknowledged_at is null
  and (a.muted_until is null or a.muted_until <= now())`;
const unannouncedEndSql = `a.opened_digest_id is not null and a.resolved_digest_id is null and a.resolved_at is not null`;

const isQuietSql = (organization: string): string => `not exists (
  select from alert_digests recent where recent.organization_id = ${organization}
    and recent.created_at > now() - :intervalMs * interval '1 millisecond')`;

export interface DueDigests {
  /** How long the first alert waits for others. */
  readonly gatherMs: number;
  readonly intervalMs: number;
  readonly limit: number;
}

/** Returns the organizations whose alerts must be gathered or whose emails must be sent. */
export async function listDueDigests(db: Knex, due: DueDigests): Promise<string[]> {
  const rows = await queryRows<{ publicId: string }>(db, dueSql, { ...due });
  return rows.map(({ publicId }) => publicId);
}

const dueSql = `
select o.public_id as "publicId" from organizations o
where o.id in (
    select a.organization_id from alerts a where ${unannouncedSql}
      and a.opened_at <= now() - :gatherMs * interval '1 millisecond'
    union select a.organization_id from alerts a where ${unannouncedEndSql}
  ) and ${isQuietSql('o.id')}
  or o.id in (
    select d.organization_id from alert_mails m join alert_digests d on d.id = m.digest_id
    where m.sent_at is null and m.failed_at is null)
order by o.id limit :limit`;

export interface CollectDigest {
  readonly organizationPublicId: string;
  readonly intervalMs: number;
}

export interface CollectedDigest {
  readonly mailCount: number;
  /** To the organization's alert webhook. */
  readonly callCount: number;
}

/**
 * Gathers what has not been announced, and stores who gets an email and which calls the alert webhook gets. Returns
 * undefined if there is nothing to announce yet. A repeat gathers nothing more.
 */
export async function collectDigest(
  db: Knex,
  { organizationPublicId, intervalMs }: CollectDigest,
): Promise<CollectedDigest | undefined> {
  return await db.transaction(async (trx) => {
    const [organization] = await queryRows<{ id: number }>(
      trx,
      `select id from organizations where public_id = :organizationPublicId`,
      { organizationPublicId },
    );
    if (!organization) return undefined;
    const organizationId = organization.id;
    await lockOrganization(trx, organizationId);
    const [digest] = await queryRows<{ id: number }>(trx, openDigestSql, { organizationId, intervalMs });
    if (!digest) return undefined;
    const bindings = { organizationId, digestId: digest.id };
    await queryRows(trx, announceSql('opened_digest_id', unannouncedSql), bindings);
    await queryRows(trx, announceSql('resolved_digest_id', unannouncedEndSql), bindings);
    const callCount = await insertAlertCalls(trx, bindings);
    const mailCount = (await queryRows(trx, addressSql, bindings)).length;
    return { mailCount, callCount };
  });
}

const openDigestSql = `
insert into alert_digests (organization_id)
select :organizationId where ${isQuietSql(':organizationId')}
  and (exists (select from alerts a where a.organization_id = :organizationId and ${unannouncedSql})
    or exists (select from alerts a where a.organization_id = :organizationId and ${unannouncedEndSql}))
returning id`;

/** An end that has just been announced with its start does not exist: only open alerts are announced. */
const announceSql = (column: string, condition: string): string => `
update alerts a set ${column} = :digestId
where a.organization_id = :organizationId and ${condition} and a.opened_digest_id is distinct from :digestId
returning 1`;

/**
 * Whether a person gets an alert `a` in a digest. Their end is for those who got the start, unless a person ended it or
 * it is muted. A member who has lost a workspace gets nothing of it.
 */
const isWantedSql = (rule: string, member: string): string => `
  (${rule}.workspace_id is null or ${rule}.workspace_id = a.workspace_id)
  and (${rule}.min_severity = 'warning' or a.severity = 'critical')
  and (${rule}.kinds is null or a.kind = any (${rule}.kinds))
  and (${member}.role = 'admin' or exists (
    select from workspace_members wm where wm.workspace_id = a.workspace_id and wm.user_id = ${member}.user_id))
  and (a.opened_digest_id = :digestId or a.resolution = 'ended' and (a.muted_until is null or a.muted_until <= now())
    and exists (select from alert_mails before
      where before.digest_id = a.opened_digest_id and before.user_id = ${member}.user_id and before.sent_at is not null))`;

const addressSql = `
insert into alert_mails (digest_id, user_id)
select distinct cast(:digestId as bigint), r.user_id
from alert_rules r join organization_members m on m.organization_id = r.organization_id and m.user_id = r.user_id
where r.organization_id = :organizationId
  and exists (select from ${alertsOfDigestSql} a where ${isWantedSql('r', 'm')})
returning user_id`;

export interface UnsentMail {
  readonly digestId: number;
  readonly userId: number;
  readonly userPublicId: string;
  readonly email: string;
  readonly organizationName: string;
}

/** Reserves the next email of an organization. Returns undefined if none is left, or others are being sent. */
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
  join alert_mails m on m.digest_id = d.id and m.sent_at is null and m.failed_at is null
    and (m.claimed_at is null or m.claimed_at < now() - :claimMs * interval '1 millisecond')
  where o.public_id = :organizationPublicId
  order by m.digest_id, m.user_id limit 1 for update of m skip locked
)
update alert_mails m set claimed_at = now() from next, users u
where m.digest_id = next.digest_id and m.user_id = next.user_id and u.id = m.user_id
returning m.digest_id as "digestId", m.user_id as "userId", u.public_id as "userPublicId", u.email,
  next.organization_name as "organizationName"`;

/** After a failure, so that the next try need not wait for the claim to expire. */
export async function releaseMail(
  db: Knex,
  { digestId, userId }: { readonly digestId: number; readonly userId: number },
): Promise<void> {
  await db('alert_mails').where({ digest_id: digestId, user_id: userId, sent_at: null }).update({ claimed_at: null });
}

export interface MailedAlert {
  readonly kind: string;
  readonly severity: string;
  readonly label: string;
  readonly reason: string | null;
  readonly occurrences: number;
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
select kind, severity, subject_label as label, reason, occurrences, is_over as "isOver", count::int
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
