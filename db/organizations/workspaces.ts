import type { Knex } from 'knex';
import { Model } from 'objection';
import type { WorkspaceKind } from '../../contract/identity/workspace-kinds.ts';
import { withFreshId } from '../core/fresh-id.ts';

class WorkspaceRow extends Model {
  static override tableName = 'workspaces';
  declare id: number;
  declare public_id: string;
  declare organization_id: number;
  declare name: string;
  declare kind: WorkspaceKind;
  declare external_id: string | null;
  declare created_at: Date;
  declare deleted_at: Date | null;
}

export interface Workspace {
  readonly id: number;
  readonly publicId: string;
  readonly organizationId: number;
  readonly name: string;
  readonly kind: WorkspaceKind;
  readonly externalId: string | null;
  readonly createdAt: Date;
}

export interface NewWorkspace {
  readonly organizationId: number;
  readonly name: string;
  readonly kind: WorkspaceKind;
  readonly externalId?: string;
}

/** Names the index, for whoever turns its refusal into an answer. */
export const EXTERNAL_ID_INDEX = 'an external id names one customer of an organization';

export async function insertWorkspace(db: Knex, workspace: NewWorkspace): Promise<Workspace> {
  return await withFreshId('workspace', async (publicId) => {
    const { rows } = await db.raw<{ rows: WorkspaceRow[] }>(
      `insert into workspaces (public_id, organization_id, name, kind, external_id) values (?, ?, ?, ?, ?)
       on conflict (public_id) do nothing returning *`,
      [publicId, workspace.organizationId, workspace.name, workspace.kind, workspace.externalId ?? null],
    );
    return rows[0] && fromRow(rows[0]);
  });
}

export async function findWorkspace(db: Knex, publicId: string): Promise<Workspace | undefined> {
  const row = await WorkspaceRow.query(db).findOne({ public_id: publicId }).whereNull('deleted_at');
  return row && fromRow(row);
}

export interface WorkspaceChange {
  readonly id: number;
  readonly name?: string | undefined;
  readonly externalId?: string | null | undefined;
}

/** Changes what is given of a live workspace; false when it was deleted meanwhile. */
export async function updateWorkspace(db: Knex, { id, name, externalId }: WorkspaceChange): Promise<boolean> {
  const count = await db('workspaces')
    .where({ id })
    .whereNull('deleted_at')
    .update({
      name: name ?? db.ref('name'),
      external_id: externalId === undefined ? db.ref('external_id') : externalId,
    });
  return count === 1;
}

/** The organization's oldest live workspace of this name and kind. */
export async function findWorkspaceByName(
  db: Knex,
  { organizationId, name, kind }: { organizationId: number; name: string; kind: WorkspaceKind },
): Promise<Workspace | undefined> {
  const row = await WorkspaceRow.query(db)
    .where({ organization_id: organizationId, name, kind })
    .whereNull('deleted_at')
    .orderBy('id')
    .first();
  return row && fromRow(row);
}

export interface WorkspacePage {
  readonly organizationId: number;
  readonly kind?: WorkspaceKind | undefined;
  /** Only the customer of this external id. */
  readonly externalId?: string | undefined;
  /** Only the workspaces that this person is a member of. */
  readonly memberId?: number | undefined;
  /** Public id of the last workspace on the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** The organization's workspaces, newest first; undefined when `after` names none of them. */
export async function listWorkspaces(db: Knex, page: WorkspacePage): Promise<Workspace[] | undefined> {
  const query = WorkspaceRow.query(db)
    .where({ organization_id: page.organizationId })
    .whereNull('deleted_at')
    .orderBy('id', 'desc')
    .limit(page.limit);
  if (page.kind !== undefined) query.where({ kind: page.kind });
  if (page.externalId !== undefined) query.where({ external_id: page.externalId });
  if (page.memberId !== undefined) {
    query.whereIn('id', db('workspace_members').select('workspace_id').where({ user_id: page.memberId }));
  }
  if (page.after !== undefined) {
    const last = await WorkspaceRow.query(db).findOne({ public_id: page.after, organization_id: page.organizationId });
    if (!last) return undefined;
    query.where('id', '<', last.id);
  }
  return (await query).map(fromRow);
}

function fromRow(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    publicId: row.public_id,
    organizationId: row.organization_id,
    name: row.name,
    kind: row.kind,
    externalId: row.external_id,
    createdAt: row.created_at,
  };
}
