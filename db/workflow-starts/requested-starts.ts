import type { Knex } from 'knex';
import { refreshableSql } from '../channels/credentials.ts';
import { type Bindings, queryRows } from '../core/query-rows.ts';
import type { RequestedType } from '../core/request-start.ts';
import { nextAttemptAtSql } from '../notifications/notifications.ts';

export interface ClaimedStart {
  readonly id: number;
  readonly type: RequestedType;
  readonly subjectId: string;
}

/** A start that fails, or whose worker is lost, is due again after this time. */
const CLAIM_MS = 15_000;

/** Of the types that this release knows. A worker of a later release starts the others. */
export async function claimStarts(
  db: Knex,
  { types, limit }: { readonly types: readonly string[]; readonly limit: number },
): Promise<ClaimedStart[]> {
  return await queryRows<ClaimedStart>(
    db,
    `update workflow_starts set due_at = now() + :claimMs * interval '1 millisecond'
     where id in (select id from workflow_starts where due_at <= now() and type = any (:types)
       order by due_at limit :limit for update skip locked)
     returning id, type, subject_id as "subjectId"`,
    { types, limit, claimMs: CLAIM_MS },
  );
}

export async function deleteStart(db: Knex, id: number): Promise<void> {
  await queryRows(db, 'delete from workflow_starts where id = :id', { id });
}

interface OverdueLimits {
  /** How long before its end a credential is refreshed. */
  readonly credentialRefreshMs: number;
}

/**
 * Rows whose workflow should have made progress, longest first. Each wait is longer than the longest activity and the
 * recovery of a lost worker.
 */
const overdueSql: Readonly<Record<Exclude<RequestedType, 'alertDigest'>, string>> = {
  carryContainer: `
    select public_id, next_check_at as since from media_containers
    where ended_at is null and next_check_at < now() - interval '60 seconds'`,
  carryScheduled: `
    select public_id, act_at as since from scheduled
    where ended_at is null and act_at < now() - interval '60 seconds'`,
  eraseData: `
    select public_id, coalesce(progressed_at, created_at) as since from erasures
    where status <> 'completed' and coalesce(progressed_at, created_at) < now() - interval '30 seconds'`,
  refreshCredential: `
    select k.public_id, k.expires_at as since from connection_credentials k where ${refreshableSql}`,
  // A paused replay waits for a person.
  replayDeliveries: `
    select public_id, progressed_at as since from replays
    where run_ended_at is null and status <> 'paused' and progressed_at < now() - interval '60 seconds'`,
  rollOutWebhook: `
    select public_id, progressed_at as since from webhook_rollouts
    where run_ended_at is null and progressed_at < now() - interval '120 seconds'`,
  // A test is sent for its own request only.
  sendNotification: `
    select n.public_id, n.created_at as since from notifications n
    where n.outcome is null and n.type <> 'alert.test'
      and coalesce(${nextAttemptAtSql}, n.created_at) < now() - interval '5 minutes'`,
};

export type AdoptedType = keyof typeof overdueSql;
export const adoptedTypes = Object.keys(overdueSql) as readonly AdoptedType[];

const MAX_OVERDUE = 100;

/** Requests the start of workflows that make no progress. Returns the ids of their rows. */
export async function requestOverdue(
  db: Knex,
  { type, credentialRefreshMs }: OverdueLimits & { readonly type: AdoptedType },
): Promise<string[]> {
  const limits = { withinMs: credentialRefreshMs, limit: MAX_OVERDUE };
  return await requestMissing(db, { type, from: overdueSql[type], limits });
}

/** Requests the starts that are not requested yet, so that a list that is repeated makes no further requests. */
export async function requestEach(
  db: Knex,
  { type, subjectIds }: { readonly type: RequestedType; readonly subjectIds: readonly string[] },
): Promise<string[]> {
  const from = 'select public_id, null as since from unnest(cast(:subjectIds as text[])) public_id';
  return await requestMissing(db, { type, from, limits: { subjectIds, limit: subjectIds.length } });
}

async function requestMissing(
  db: Knex,
  { type, from, limits }: { readonly type: RequestedType; readonly from: string; readonly limits: Bindings },
): Promise<string[]> {
  const rows = await queryRows<{ subjectId: string }>(
    db,
    `insert into workflow_starts (type, subject_id)
     select :type, missing.public_id from (${from}) missing
     where not exists (select from workflow_starts s where s.subject_id = missing.public_id and s.type = :type)
     order by missing.since limit :limit returning subject_id as "subjectId"`,
    { ...limits, type },
  );
  return rows.map(({ subjectId }) => subjectId);
}
