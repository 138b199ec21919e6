import type { Knex } from 'knex';
import type { TroubledDestination } from '../../../contract/destinations/circuit.ts';
import { troubledFromRow, type TroubledRow, troubledSql } from './circuits.ts';

export async function findOpenCircuit(db: Knex, destinationId: number): Promise<TroubledDestination | undefined> {
  const { rows } = await db.raw<{ rows: TroubledRow[] }>(`${troubledSql} where dest.id = ? and dest.circuit = 'open'`, [
    destinationId,
  ]);
  return rows[0] && troubledFromRow(rows[0]);
}
