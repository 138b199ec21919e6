import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { type IdKey, idKeyFrom } from '../../contract/ids.ts';
import { Model } from './model.ts';

class InstallationModel extends Model {
  static override tableName = 'installation';
  declare idKey: Buffer;
  declare tokenSalt: Buffer;
}

export interface Installation {
  /** Distinguishes installations that share a Temporal server. A restored backup keeps it. */
  readonly publicId: string;
  readonly idKey: IdKey;
  readonly tokenSalt: Buffer;
}

export async function readInstallation(db: Knex): Promise<Installation> {
  const row = await InstallationModel.query(db).select('id_key', 'token_salt').first();
  if (!row) throw new Error('The database has no installation row: run the migrate command first');
  return { publicId: publicIdOf(row.idKey), idKey: idKeyFrom(row.idKey), tokenSalt: row.tokenSalt };
}

function publicIdOf(idKey: Uint8Array): string {
  return `ins_${createHash('sha256').update('installation').update(idKey).digest('hex').slice(0, 12)}`;
}
