import type { Knex } from 'knex';
import { Model } from 'objection';
import { withFreshId } from '../core/fresh-id.ts';

class OrganizationRow extends Model {
  static override tableName = 'organizations';
  declare id: number;
  declare public_id: string;
  declare name: string;
  declare created_at: Date;
}

export interface Organization {
  readonly id: number;
  readonly publicId: string;
  readonly name: string;
  readonly createdAt: Date;
}

export interface NewOrganization {
  readonly name: string;
  /** Optional. The person whose first organization it is; left out where the operator makes it. */
  readonly madeBy?: number;
}

export async function insertOrganization(db: Knex, { name, madeBy }: NewOrganization): Promise<Organization> {
  return await withFreshId('organization', async (publicId) => {
    const { rows } = await db.raw<{ rows: OrganizationRow[] }>(
      'insert into organizations (public_id, name, made_by) values (?, ?, ?) on conflict (public_id) do nothing returning *',
      [publicId, name, madeBy ?? null],
    );
    return rows[0] && fromRow(rows[0]);
  });
}

export async function findOrganization(db: Knex, publicId: string): Promise<Organization | undefined> {
  const row = await OrganizationRow.query(db).findOne({ public_id: publicId });
  return row && fromRow(row);
}

/** Gives an organization another name; false where it has that name already. */
export async function renameOrganization(
  db: Knex,
  { id, name }: { readonly id: number; readonly name: string },
): Promise<boolean> {
  const count = await db('organizations').where({ id }).whereNot({ name }).update({ name });
  return count === 1;
}

export async function findOrganizationById(db: Knex, id: number): Promise<Organization | undefined> {
  const row = await OrganizationRow.query(db).findById(id);
  return row && fromRow(row);
}

/** Takes the lock under which an organization's workspaces and admins are counted, until the transaction ends. */
export async function lockOrganization(trx: Knex, id: number): Promise<void> {
  await trx.raw('select from organizations where id = ? for no key update', [id]);
}

/** The oldest organization that this person administers. */
export async function findOrganizationOfAdmin(db: Knex, userId: number): Promise<Organization | undefined> {
  const row = await OrganizationRow.query(db)
    .whereIn('id', db('organization_members').select('organization_id').where({ user_id: userId, role: 'admin' }))
    .orderBy('id')
    .first();
  return row && fromRow(row);
}

function fromRow(row: OrganizationRow): Organization {
  return { id: row.id, publicId: row.public_id, name: row.name, createdAt: row.created_at };
}
