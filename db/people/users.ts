import type { Knex } from 'knex';
import type { OrganizationRole, WorkspaceRole } from '../../contract/identity/roles.ts';
import { withFreshId } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';
import { OrganizationMemberModel, WorkspaceMemberModel } from '../models/member.ts';
import { UserModel } from '../models/user.ts';

export interface User {
  readonly id: number;
  readonly publicId: string;
  readonly email: string;
}

export type { OrganizationRole, WorkspaceRole };

const columns = ['id', 'public_id', 'email'];

export async function ensureUser(db: Knex, { email }: { email: string }): Promise<User> {
  const address = email.trim().toLowerCase();
  const known = await findUser(db, { email: address });
  if (known) return known;
  return await withFreshId('user', async (publicId) => {
    const [inserted] = await queryRows<User>(
      db,
      `insert into users (public_id, email) values (:publicId, :address) on conflict do nothing
       returning id, public_id as "publicId", email`,
      { publicId, address },
    );
    return inserted ?? (await findUser(db, { email: address }));
  });
}

export async function getUser(db: Knex, id: number): Promise<User> {
  return await UserModel.query(db).select(columns).findById(id).throwIfNotFound();
}

export async function isStaff(db: Knex, id: number): Promise<boolean> {
  return (await UserModel.query(db).select('id').findOne({ id, is_staff: true })) !== undefined;
}

/** The address must be in lower case. */
export async function findUser(db: Knex, { email }: { email: string }): Promise<User | undefined> {
  return await UserModel.query(db).select(columns).findOne({ email });
}

export async function findOldestAdmin(
  db: Knex,
  { organizationId, userId }: { organizationId: number; userId?: number },
): Promise<User | undefined> {
  const query = OrganizationMemberModel.query(db)
    .joinRelated('user')
    .select('user.id', 'user.public_id', 'user.email')
    .where({ organization_id: organizationId, role: 'admin' })
    .orderBy(['organization_members.created_at', 'user.id'])
    .first();
  if (userId !== undefined) query.where({ user_id: userId });
  return await query.castTo<User | undefined>();
}

export async function setStaff(db: Knex, id: number, { isStaff }: { isStaff: boolean }): Promise<void> {
  await UserModel.query(db).findById(id).patch({ isStaff });
}

/** The address must be in lower case. */
export async function findStaff(db: Knex, { email }: { email: string }): Promise<User | undefined> {
  return await UserModel.query(db).select(columns).findOne({ email, is_staff: true });
}

export async function setOrganizationRole(
  db: Knex,
  { organizationId, userId, role }: { organizationId: number; userId: number; role: OrganizationRole },
): Promise<void> {
  await OrganizationMemberModel.query(db)
    .insert({ organizationId, userId, role })
    .onConflict(['organization_id', 'user_id'])
    .merge(['role']);
}

export async function findOrganizationRole(
  db: Knex,
  { organizationId, userId }: { organizationId: number; userId: number },
): Promise<OrganizationRole | undefined> {
  const member = await OrganizationMemberModel.query(db).select('role').findById([organizationId, userId]);
  return member?.role;
}

export async function findWorkspaceRole(
  db: Knex,
  { workspaceId, userId }: { workspaceId: number; userId: number },
): Promise<WorkspaceRole | undefined> {
  const member = await WorkspaceMemberModel.query(db).select('role').findById([workspaceId, userId]);
  return member?.role;
}
