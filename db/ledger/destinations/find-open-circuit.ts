import type { Knex } from 'knex';
import type { FailingDestination } from '../../../contract/destinations/circuit.ts';
import { failingFromRow, type FailingRow, failingSql } from './circuits.ts';

export async function findOpenCircuit(db: Knex, destinationId: number): Promise<FailingDestination | undefined> {
  const { rows } = await db.raw<{ rows: FailingRow[] }>(`${failingSql} where dest.id = ? and dest.circuit = 'open'`, [
    destinationId,
  ]);
  return rows[0] && failingFromRow(rows[0]);
}
