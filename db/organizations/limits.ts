import type { Knex } from 'knex';
import { raw } from 'objection';
import {
  limitMessage,
  CREATED_PER_DAY_FACTOR,
  MAX_PORTAL_REPLAYS,
  type OrganizationLimit,
  organizationLimits,
  type PersonLimit,
  personLimits,
  type ReachedLimit,
} from '../../contract/identity/limits.ts';
import { queryRows } from '../core/query-rows.ts';
import { OrganizationModel } from '../models/organization.ts';
import { UserModel } from '../models/user.ts';
import { lockOrganization } from './organizations.ts';

/** Rolls back the transaction that would exceed a limit. */
export class LimitReached extends Error {
  constructor(reached: ReachedLimit) {
    super(limitMessage(reached));
    this.name = 'LimitReached';
  }
}

interface CountedRows {
  readonly table: string;
  readonly of?: string;
  /** SQL for rows that count as present. The daily limit counts all rows. */
  readonly live: string;
  /** Optional. True if no row is live for longer than a day, so that older rows need not be read. */
  readonly isShortLived?: boolean;
}

const liveKey = 'revoked_at is null and (expires_at is null or expires_at > now())';

const rowsOf: Readonly<Record<OrganizationLimit, CountedRows>> = {
  workspaces: { table: 'workspaces', live: 'deleted_at is null' },
  apiKeys: { table: 'api_keys', of: '(scopes is null or owned_by_organization)', live: liveKey },
  agentCredentials: { table: 'api_keys', of: '(scopes is not null and not owned_by_organization)', live: liveKey },
  onboardingLinks: {
    table: 'onboarding_links',
    live: `${liveKey} and (max_uses is null or use_count < max_uses)`,
  },
  portalLinks: { table: 'portal_links', live: 'revoked_at is null and expires_at > now()', isShortLived: true },
  members: { table: 'organization_members', live: 'true' },
  openInvitations: {
    table: 'invitations',
    live: 'accepted_at is null and revoked_at is null and expires_at > now()',
  },
  runningReplays: { table: 'replays', live: 'ended_at is null' },
};

/**
 * Throws `LimitReached`. Locks the organization until the transaction ends, so that two transactions cannot both take
 * the last place.
 */
export async function enforceOrganizationLimit(
  trx: Knex,
  { organizationId, limit }: { readonly organizationId: number; readonly limit: OrganizationLimit },
): Promise<void> {
  await lockOrganization(trx, organizationId);
  const max = await maxOf(trx, { organizationId, limit });
  const { live, recent } = await countRows(trx, { organizationId, ...rowsOf[limit] });
  if (live >= max) throw new LimitReached({ of: 'organization', limit, max, isDaily: false });
  const perDay = max * CREATED_PER_DAY_FACTOR;
  if (recent >= perDay) throw new LimitReached({ of: 'organization', limit, max: perDay, isDaily: true });
}

/**
 * Throws `LimitReached` for a replay of a portal. Call it after `enforceOrganizationLimit`, whose lock serializes the
 * replays of the organization.
 */
export async function enforcePortalReplays(
  trx: Knex,
  { workspaceId }: { readonly workspaceId: number },
): Promise<void> {
  const [counts] = await queryRows<{ live: number; recent: number }>(
    trx,
    `select count(*) filter (where ended_at is null)::int as live,
       count(*) filter (where created_at > now() - interval '1 day')::int as recent
     from replays where workspace_id = :workspaceId and by_portal`,
    { workspaceId },
  );
  if (counts!.live >= MAX_PORTAL_REPLAYS)
    throw new LimitReached({ of: 'portal', max: MAX_PORTAL_REPLAYS, isDaily: false });
  const perDay = MAX_PORTAL_REPLAYS * CREATED_PER_DAY_FACTOR;
  if (counts!.recent >= perDay) throw new LimitReached({ of: 'portal', max: perDay, isDaily: true });
}

async function countRows(
  trx: Knex,
  { organizationId, table, of = 'true', live, isShortLived = false }: CountedRows & { readonly organizationId: number },
): Promise<{ live: number; recent: number }> {
  const recent = `created_at > now() - interval '1 day'`;
  const [counts] = await queryRows<{ live: number; recent: number }>(
    trx,
    `select count(*) filter (where ${live})::int as live, count(*) filter (where ${recent})::int as recent
     from ${table}
     where organization_id = :organizationId and ${of} and (${isShortLived ? recent : `(${live}) or ${recent}`})`,
    { organizationId },
  );
  return counts!;
}

async function maxOf(
  trx: Knex,
  { organizationId, limit }: { readonly organizationId: number; readonly limit: OrganizationLimit },
): Promise<number> {
  const organization = await OrganizationModel.query(trx).select('limits', 'made_by').findById(organizationId);
  if (!organization) return 0;
  const { selfMade, byOperator } = organizationLimits[limit];
  return organization.limits[limit] ?? (organization.madeBy === null ? byOperator : selfMade);
}

const countOfPerson: Readonly<Record<PersonLimit, string>> = {
  organizations: 'organizations where made_by = :userId',
  apiKeys: `api_keys where user_id = :userId and (scopes is null or owned_by_organization) and ${liveKey}`,
  agentCredentials: `api_keys where user_id = :userId and scopes is not null and not owned_by_organization and ${liveKey}`,
};

/**
 * Throws `LimitReached`. Locks the person until the transaction ends. Call it before `enforceOrganizationLimit` to keep
 * the lock order.
 */
export async function enforcePersonLimit(
  trx: Knex,
  { userId, limit }: { readonly userId: number; readonly limit: PersonLimit },
): Promise<void> {
  await lockUser(trx, userId);
  const { max } = personLimits[limit];
  const [row] = await queryRows<{ count: number }>(trx, `select count(*)::int as count from ${countOfPerson[limit]}`, {
    userId,
  });
  if (row!.count >= max) throw new LimitReached({ of: 'person', limit, max });
}

/** Unlike `for update`, this lock lets others insert rows that reference the person. */
export async function lockUser(trx: Knex, id: number): Promise<void> {
  await UserModel.query(trx).select('id').findById(id).forNoKeyUpdate();
}

/** Null restores the default. */
export async function setOrganizationLimit(
  db: Knex,
  { organizationId, limit, max }: { organizationId: number; limit: OrganizationLimit; max: number | null },
): Promise<Readonly<Partial<Record<OrganizationLimit, number>>>> {
  const limits = raw('jsonb_strip_nulls(limits || jsonb_build_object(cast(? as text), cast(? as int)))', limit, max);
  const [organization] = await OrganizationModel.query(db)
    .patch({ limits })
    .where({ id: organizationId })
    .returning('limits');
  return organization?.limits ?? {};
}
