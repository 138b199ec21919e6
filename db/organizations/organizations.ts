import type { Knex } from 'knex';
import { insertWithFreshId, type Columns } from '../core/model.ts';
import { OrganizationMemberModel } from '../models/member.ts';
import { OrganizationModel } from '../models/organization.ts';

export type Organization = Columns<OrganizationModel, 'id' | 'publicId' | 'name' | 'createdAt'>;

const columns = ['id', 'public_id', 'name', 'created_at'];

export interface NewOrganization {
  readonly name: string;
  /** Optional. Omit if the operator creates it. */
  readonly madeBy?: number;
}

export async function insertOrganization(db: Knex, { name, madeBy }: NewOrganization): Promise<Organization> {
  const values = { name, madeBy: madeBy ?? null };
  return await insertWithFreshId(db, OrganizationModel, { kind: 'organization', values });
}

export async function findOrganization(db: Knex, publicId: string): Promise<Organization | undefined> {
  return await OrganizationModel.query(db).select(columns).findOne({ public_id: publicId });
}

export async function findOrganizationById(db: Knex, id: number): Promise<Organization | undefined> {
  return await OrganizationModel.query(db).select(columns).findById(id);
}

/** Returns the oldest one. */
/** Returns the public ids by id. */
export async function findOrganizationIds(db: Knex, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await OrganizationModel.query(db)
    .select(['id', 'public_id'])
    .findByIds([...ids]);
  return new Map(rows.map(({ id, publicId }) => [id, publicId]));
}

export async function findOrganizationOfAdmin(db: Knex, userId: number): Promise<Organization | undefined> {
  const administered = OrganizationMemberModel.query()
    .select('organization_id')
    .where({ user_id: userId, role: 'admin' });
  return await OrganizationModel.query(db).select(columns).whereIn('id', administered).orderBy('id').first();
}

export async function renameOrganization(
  db: Knex,
  { id, name }: { readonly id: number; readonly name: string },
): Promise<boolean> {
  const count = await OrganizationModel.query(db).findById(id).whereNot({ name }).patch({ name });
  return count === 1;
}

/** Serializes changes of members and workspaces until the transaction ends. */
export async function lockOrganization(trx: Knex, id: number): Promise<void> {
  await OrganizationModel.query(trx).select('id').findById(id).forNoKeyUpdate();
}
