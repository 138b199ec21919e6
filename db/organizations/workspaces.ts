import type { Knex } from 'knex';
import { raw } from 'objection';
import type { WorkspaceKind } from '../../contract/identity/workspace-kinds.ts';
import { type Columns, insertWithFreshId, listAfter, type PageAfter } from '../core/model.ts';
import { WorkspaceMemberModel } from '../models/member.ts';
import { WorkspaceModel } from '../models/workspace.ts';
import { queryRows } from '../core/query-rows.ts';

export type Workspace = Columns<
  WorkspaceModel,
  'id' | 'publicId' | 'organizationId' | 'name' | 'kind' | 'externalId' | 'createdAt'
>;

const columns = ['id', 'public_id', 'organization_id', 'name', 'kind', 'external_id', 'created_at'];

export interface NewWorkspace {
  readonly organizationId: number;
  readonly name: string;
  readonly kind: WorkspaceKind;
  readonly externalId?: string;
}

export const EXTERNAL_ID_INDEX = 'an external id names one customer of an organization';

export async function insertWorkspace(db: Knex, workspace: NewWorkspace): Promise<Workspace> {
  const { organizationId, name, kind, externalId } = workspace;
  const values = { organizationId, name, kind, externalId: externalId ?? null };
  return await insertWithFreshId(db, WorkspaceModel, { kind: 'workspace', values });
}

export async function findWorkspace(db: Knex, publicId: string): Promise<Workspace | undefined> {
  return await WorkspaceModel.query(db).select(columns).findOne({ public_id: publicId }).whereNull('deleted_at');
}

export interface WorkspaceChange {
  readonly id: number;
  readonly name?: string | undefined;
  readonly externalId?: string | null | undefined;
}

export async function updateWorkspace(db: Knex, { id, name, externalId }: WorkspaceChange): Promise<boolean> {
  const count = await WorkspaceModel.query(db)
    .findById(id)
    .whereNull('deleted_at')
    .patch({
      name: name ?? raw('name'),
      externalId: externalId === undefined ? raw('external_id') : externalId,
    });
  return count === 1;
}

/** Returns the oldest one. */
export async function findWorkspaceByName(
  db: Knex,
  { organizationId, name, kind }: { organizationId: number; name: string; kind: WorkspaceKind },
): Promise<Workspace | undefined> {
  return await WorkspaceModel.query(db)
    .select(columns)
    .where({ organization_id: organizationId, name, kind })
    .whereNull('deleted_at')
    .orderBy('id')
    .first();
}

export interface WorkspacePage extends PageAfter {
  readonly organizationId: number;
  readonly kind?: WorkspaceKind | undefined;
  readonly externalId?: string | undefined;
  /** A part of the name or the external id, in any case. */
  readonly search?: string | undefined;
  readonly memberId?: number | undefined;
  /** Optional. Default: all. */
  readonly ids?: readonly number[] | undefined;
}

export async function listWorkspaces(db: Knex, page: WorkspacePage): Promise<Workspace[] | undefined> {
  const { organizationId, kind, externalId, search, memberId, ids, after, limit } = page;
  const query = WorkspaceModel.query(db).select(columns).whereNull('deleted_at');
  if (kind !== undefined) query.where({ kind });
  if (externalId !== undefined) query.where({ external_id: externalId });
  if (search !== undefined) {
    // Reads all workspaces of one organization, about 100,000 in 100 ms.
    query.whereRaw(`strpos(lower(name || ' ' || coalesce(external_id, '')), lower(?)) > 0`, [search]);
  }
  if (memberId !== undefined) {
    query.whereIn('id', WorkspaceMemberModel.query().select('workspace_id').where({ user_id: memberId }));
  }
  if (ids !== undefined) query.whereIn('id', [...ids]);
  return await listAfter(query, { of: { organization_id: organizationId }, after, limit });
}

/** Omits deleted workspaces. */
export async function publicIdsOf(db: Knex, ids: readonly number[]): Promise<string[]> {
  const rows = await WorkspaceModel.query(db)
    .select('public_id')
    .whereIn('id', [...ids])
    .whereNull('deleted_at')
    .orderBy('id');
  return rows.map(({ publicId }) => publicId);
}

/** Omits unknown and deleted workspaces and those of other organizations. */
export async function findWorkspaceIds(
  db: Knex,
  { organizationId, publicIds }: { readonly organizationId: number; readonly publicIds: readonly string[] },
): Promise<number[]> {
  const rows = await WorkspaceModel.query(db)
    .select('id')
    .where({ organization_id: organizationId })
    .whereIn('public_id', [...publicIds])
    .whereNull('deleted_at')
    .orderBy('id');
  return rows.map(({ id }) => id);
}

interface WorkspaceCounts {
  readonly memberCount: number;
  readonly channelCount: number;
}

export async function countInWorkspace(db: Knex, workspaceId: number): Promise<WorkspaceCounts> {
  const [counts] = await queryRows<WorkspaceCounts>(
    db,
    `select (select count(*) from workspace_members where workspace_id = :workspaceId) as "memberCount",
       (select count(*) from channels where workspace_id = :workspaceId and disconnected_at is null) as "channelCount"`,
    { workspaceId },
  );
  return counts!;
}
