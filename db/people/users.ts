import type { Knex } from 'knex';
import { Model } from 'objection';
import type { OrganizationRole, WorkspaceRole } from '../../contract/identity/roles.ts';
import { withFreshId } from '../core/fresh-id.ts';

class UserRow extends Model {
  static override tableName = 'users';
  declare id: number;
  declare public_id: string;
  declare email: string;
}

export interface User {
  readonly id: number;
  readonly publicId: string;
  readonly email: string;
}

export type { OrganizationRole, WorkspaceRole };

/** Whether the member `m` of the organization `o` is a developer or an admin of one of its workspaces. */
export const isDeveloperSql = `exists (select from workspace_members wm join workspaces w on w.id = wm.workspace_id
  where wm.user_id = m.user_id and w.organization_id = o.id and w.deleted_at is null and wm.role in ('developer', 'admin'))`;

/** Returns the user with this address, made on the spot where nobody has it. */
export async function ensureUser(db: Knex, { email }: { email: string }): Promise<User> {
  const address = email.trim().toLowerCase();
  const known = await UserRow.query(db).findOne({ email: address });
  if (known) return fromRow(known);
  return await withFreshId('user', async (publicId) => {
    const { rows } = await db.raw<{ rows: UserRow[] }>(
      'insert into users (public_id, email) values (?, ?) on conflict do nothing returning *',
      [publicId, address],
    );
    const row = rows[0] ?? (await UserRow.query(db).findOne({ email: address }));
    return row && fromRow(row);
  });
}

/** The person behind a credential. */
export async function getUser(db: Knex, id: number): Promise<User> {
  return fromRow(await UserRow.query(db).findById(id).throwIfNotFound());
}

export async function isStaff(db: Knex, id: number): Promise<boolean> {
  return (await UserRow.query(db).findOne({ id, is_staff: true })) !== undefined;
}

/** The person with this address, which is in lower case. */
export async function findUser(db: Knex, { email }: { email: string }): Promise<User | undefined> {
  const row = await UserRow.query(db).findOne({ email });
  return row && fromRow(row);
}

/** The admin who has been in the organization for longest; only this person, where one is named. */
export async function findOldestAdmin(
  db: Knex,
  { organizationId, userId }: { organizationId: number; userId?: number },
): Promise<User | undefined> {
  const query = UserRow.query(db)
    .join('organization_members as m', 'm.user_id', 'users.id')
    .where({ 'm.organization_id': organizationId, 'm.role': 'admin' })
    .select('users.*')
    .orderBy(['m.created_at', 'users.id'])
    .first();
  if (userId !== undefined) query.where('users.id', userId);
  const row = await query;
  return row && fromRow(row);
}

/** Makes a person staff of the installation, or staff no more. */
export async function setStaff(db: Knex, id: number, { isStaff }: { isStaff: boolean }): Promise<void> {
  await db('users').where({ id }).update({ is_staff: isStaff });
}

/** The person of the installation's staff with this address, which is in lower case. */
export async function findStaff(db: Knex, { email }: { email: string }): Promise<User | undefined> {
  const row = await UserRow.query(db).findOne({ email, is_staff: true });
  return row && fromRow(row);
}

export async function setOrganizationRole(
  db: Knex,
  { organizationId, userId, role }: { organizationId: number; userId: number; role: OrganizationRole },
): Promise<void> {
  await db('organization_members')
    .insert({ organization_id: organizationId, user_id: userId, role })
    .onConflict(['organization_id', 'user_id'])
    .merge(['role']);
}

/** The person's role in the organization; undefined for somebody who is no member. */
export async function findOrganizationRole(
  db: Knex,
  { organizationId, userId }: { organizationId: number; userId: number },
): Promise<OrganizationRole | undefined> {
  const row = await db<{ role: OrganizationRole; organization_id: number; user_id: number }>('organization_members')
    .where({ organization_id: organizationId, user_id: userId })
    .first('role');
  return row?.role;
}

/** The person's role in the workspace; undefined for somebody who is no member. */
export async function findWorkspaceRole(
  db: Knex,
  { workspaceId, userId }: { workspaceId: number; userId: number },
): Promise<WorkspaceRole | undefined> {
  const row = await db<{ role: WorkspaceRole; workspace_id: number; user_id: number }>('workspace_members')
    .where({ workspace_id: workspaceId, user_id: userId })
    .first('role');
  return row?.role;
}

function fromRow(row: UserRow): User {
  return { id: row.id, publicId: row.public_id, email: row.email };
}
