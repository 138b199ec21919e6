import type { Knex } from 'knex';
import { type IdKey, idKeyFrom } from '../../contract/ids.ts';
import { Model } from './model.ts';

class InstallationModel extends Model {
  static override tableName = 'installation';
  declare idKey: Buffer;
  declare tokenSalt: Buffer;
  declare deliveryShards: number;
}

export interface Installation {
  readonly idKey: IdKey;
  readonly tokenSalt: Buffer;
  readonly deliveryShards: number;
}

export async function readInstallation(db: Knex): Promise<Installation> {
  const row = await InstallationModel.query(db).select('id_key', 'token_salt', 'delivery_shards').first();
  if (!row) throw new Error('The database has no installation row: run the migrate command first');
  return { idKey: idKeyFrom(row.idKey), tokenSalt: row.tokenSalt, deliveryShards: row.deliveryShards };
}
