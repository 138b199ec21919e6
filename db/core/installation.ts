import { Model } from 'objection';
import type { Knex } from 'knex';
import { type IdKey, idKeyFrom } from '../../contract/ids.ts';

class InstallationRow extends Model {
  static override tableName = 'installation';
  declare id_key: Buffer;
  declare token_salt: Buffer;
  declare delivery_shards: number;
}

/** What an installation draws once and keeps for ever. */
export interface Installation {
  readonly idKey: IdKey;
  readonly tokenSalt: Buffer;
  readonly deliveryShards: number;
}

/** Reads the installation's keys; throws where the database has not been migrated. */
export async function readInstallation(db: Knex): Promise<Installation> {
  const row = await InstallationRow.query(db).first();
  if (!row) throw new Error('The database has no installation row: run the migrate command first');
  return { idKey: idKeyFrom(row.id_key), tokenSalt: row.token_salt, deliveryShards: row.delivery_shards };
}
