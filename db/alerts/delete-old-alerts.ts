import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';

const BATCH_SIZE = 1_000;
/** Of resolved alerts, and of the records of emails and calls: who gets the end of an alert follows from its start. */
const KEPT_DAYS = 90;

/** Deletes at most a batch of each table. */
export async function deleteOldAlerts(db: Knex): Promise<void> {
  const bindings = { days: KEPT_DAYS, limit: BATCH_SIZE };
  await queryRows(
    db,
    `delete from alerts where id in (
       select id from alerts where resolved_at < now() - :days * interval '1 day' order by resolved_at limit :limit)`,
    bindings,
  );
  await queryRows(
    db,
    `with old as materialized (
       select d.id from alert_digests d where d.created_at < now() - :days * interval '1 day'
         and not exists (select from alerts a where a.opened_digest_id = d.id) order by d.created_at limit :limit
     ),
     mails as (delete from alert_mails m using old where m.digest_id = old.id returning 1),
     calls as (delete from alert_calls c using old where c.digest_id = old.id returning 1)
     select (select count(*) from mails) + (select count(*) from calls)`,
    bindings,
  );
  await queryRows(
    db,
    `delete from alert_digests where id in (
       select d.id from alert_digests d where d.created_at < now() - :days * interval '1 day'
         and not exists (select from alert_mails m where m.digest_id = d.id)
         and not exists (select from alert_calls c where c.digest_id = d.id) order by d.created_at limit :limit)`,
    bindings,
  );
  await queryRows(
    db,
    `delete from alert_calls where id in (
       select id from alert_calls where type = 'alert.test' and created_at < now() - :days * interval '1 day'
       order by created_at limit :limit)`,
    bindings,
  );
}
