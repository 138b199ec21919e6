import type { Knex } from 'knex';
import {
  limitMessage,
  MADE_PER_DAY_FACTOR,
  type OrganizationLimit,
  organizationLimits,
  type PersonLimit,
  personLimits,
  type ReachedLimit,
} from '../../contract/identity/limits.ts';
import { lockOrganization } from './organizations.ts';

/** Takes back the transaction that would have gone beyond a limit. */
export class LimitReached extends Error {
  constructor(reached: ReachedLimit) {
    super(limitMessage(reached));
    this.name = 'LimitReached';
  }
}

interface CountedRows {
  readonly table: string;
  readonly of?: string;
  /** Which of them count for as long as they are so; all count for a day. */
  readonly live: string;
}

const liveKey = 'revoked_at is null and (expires_at is null or expires_at > now())';

const rowsOf: Readonly<Record<OrganizationLimit, CountedRows>> = {
  workspaces: { table: 'workspaces', live: 'deleted_at is null' },
  apiKeys: { table: 'api_keys', of: 'scopes is null', live: liveKey },
  agentCredentials: { table: 'api_keys', of: 'scopes is not null', live: liveKey },
  onboardingLinks: { table: 'onboarding_links', live: 'revoked_at is null' },
  members: { table: 'organization_members', live: 'true' },
  openInvitations: {
    table: 'invitations',
    live: 'accepted_at is null and revoked_at is null and expires_at > now()',
  },
  runningReplays: { table: 'replays', live: 'ended_at is null' },
};

/**
 * Throws where the organization has as many of these as it may. The organization's lock, which the transaction keeps,
 * makes the next one that adds something wait, so that two at once can't both take the last place.
 */
export async function requireRoom(
  trx: Knex,
  { organizationId, limit }: { readonly organizationId: number; readonly limit: OrganizationLimit },
): Promise<void> {
  await lockOrganization(trx, organizationId);
  const max = await maxOf(trx, { organizationId, limit });
  const { table, of = 'true', live } = rowsOf[limit];
  const { rows } = await trx.raw<{ rows: { live: number; recent: number }[] }>(
    `select count(*) filter (where ${live})::int as live,
       count(*) filter (where created_at > now() - interval '1 day')::int as recent
     from ${table}
     where organization_id = :organizationId and ${of} and ((${live}) or created_at > now() - interval '1 day')`,
    { organizationId },
  );
  const counted = rows[0] ?? { live: 0, recent: 0 };
  if (counted.live >= max) throw new LimitReached({ of: 'organization', limit, max, isDaily: false });
  const perDay = max * MADE_PER_DAY_FACTOR;
  if (counted.recent >= perDay) throw new LimitReached({ of: 'organization', limit, max: perDay, isDaily: true });
}

async function maxOf(
  trx: Knex,
  { organizationId, limit }: { readonly organizationId: number; readonly limit: OrganizationLimit },
): Promise<number> {
  const { rows } = await trx.raw<{ rows: { set: number | null; is_self_made: boolean }[] }>(
    `select cast(limits ->> cast(? as text) as int) as set, made_by is not null as is_self_made
     from organizations where id = ?`,
    [limit, organizationId],
  );
  const [row] = rows;
  if (!row) return 0;
  const { selfMade, byOperator } = organizationLimits[limit];
  return row.set ?? (row.is_self_made ? selfMade : byOperator);
}

const countOfPerson: Readonly<Record<PersonLimit, string>> = {
  organizations: 'organizations where made_by = :userId',
  apiKeys: `api_keys where user_id = :userId and scopes is null and ${liveKey}`,
  agentCredentials: `api_keys where user_id = :userId and scopes is not null and ${liveKey}`,
};

/**
 * Throws where the person has as many of these as one may; takes the person's lock as `requireRoom` takes the
 * organization's. Call this one first.
 */
export async function requirePersonRoom(
  trx: Knex,
  { userId, limit }: { readonly userId: number; readonly limit: PersonLimit },
): Promise<void> {
  await lockUser(trx, userId);
  const { max } = personLimits[limit];
  const { rows } = await trx.raw<{ rows: { count: number }[] }>(
    `select count(*)::int as count from ${countOfPerson[limit]}`,
    { userId },
  );
  if ((rows[0]?.count ?? 0) >= max) throw new LimitReached({ of: 'person', limit, max });
}

/** Not `for update`: a row that names the person, as a membership does, may be inserted meanwhile. */
export async function lockUser(trx: Knex, id: number): Promise<void> {
  await trx.raw('select from users where id = ? for no key update', [id]);
}

/** Sets a limit of one organization; null takes the usual one again. Answers with all that are set. */
export async function setOrganizationLimit(
  db: Knex,
  { organizationId, limit, max }: { organizationId: number; limit: OrganizationLimit; max: number | null },
): Promise<Readonly<Partial<Record<OrganizationLimit, number>>>> {
  const { rows } = await db.raw<{ rows: { limits: Partial<Record<OrganizationLimit, number>> }[] }>(
    `update organizations set limits = jsonb_strip_nulls(limits || jsonb_build_object(cast(? as text), cast(? as int)))
     where id = ? returning limits`,
    [limit, max, organizationId],
  );
  return rows[0]?.limits ?? {};
}
