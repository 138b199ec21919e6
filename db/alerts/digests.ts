import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { lockOrganization } from '../organizations/organizations.ts';
import { insertAlertCalls } from './alert-calls.ts';
import { alertsOfDigestSql } from './alerts.ts';
import { isDueMailSql, isWantedSql } from './mails.ts';

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
  /** Of each part. */
  readonly limit: number;
}

/**
 * Returns the organizations whose alerts must be gathered, and then those whose emails must be sent, the longest overdue
 * first. Each part has its own limit, so that emails that cannot be sent delay no alerts.
 */
export async function listDueDigests(db: Knex, due: DueDigests): Promise<string[]> {
  const rows = await queryRows<{ publicId: string }>(db, dueSql, { ...due });
  return rows.map(({ publicId }) => publicId);
}

const dueSql = `
with collecting as (
  select organization_id, min(since) as since from (
    select a.organization_id, a.opened_at as since from alerts a where ${unannouncedSql}
      and a.opened_at <= now() - :gatherMs * interval '1 millisecond'
    union all select a.organization_id, a.resolved_at from alerts a where ${unannouncedEndSql}
  ) waiting
  group by organization_id having ${isQuietSql('waiting.organization_id')} order by 2 limit :limit
),
mailing as (
  select d.organization_id, min(m.next_attempt_at) as since
  from alert_mails m join alert_digests d on d.id = m.digest_id where ${isDueMailSql}
  group by d.organization_id order by 2 limit :limit
)
select o.public_id as "publicId"
from (select 1 as part, * from collecting union all select 2, * from mailing) due
join organizations o on o.id = due.organization_id
group by o.id order by min(due.part), min(due.since), o.id`;

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

const addressSql = `
insert into alert_mails (digest_id, user_id)
select distinct cast(:digestId as bigint), r.user_id
from alert_rules r join organization_members m on m.organization_id = r.organization_id and m.user_id = r.user_id
where r.organization_id = :organizationId
  and exists (select from ${alertsOfDigestSql} a where ${isWantedSql('r', 'm')})
returning user_id`;
