import { Buffer } from 'node:buffer';
import type { Knex } from 'knex';
import { createBodyBox } from '../../../db/core/body-box.ts';

const oldKey = { id: 'test', bytes: Buffer.alloc(32, 7) };
const newKey = { id: 'new', bytes: Buffer.alloc(32, 8) };

export const sealingBox = createBodyBox({ keys: [oldKey], encryptsBodies: true });
export const rotatedBox = createBodyBox({ keys: [newKey, oldKey], encryptsBodies: true });
export const newestBox = createBodyBox({ keys: [newKey], encryptsBodies: true });

/** Returns the columns (`table.column`) that contain a string, as text or as bytes. */
export async function columnsWith(db: Knex, text: string): Promise<string[]> {
  const { rows: columns } = await db.raw<{ rows: { table: string; column: string; type: string }[] }>(
    `select c.table_name as "table", c.column_name as "column", c.data_type as type
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and not (select relispartition from pg_class where oid = quote_ident(c.table_name)::regclass)
     order by 1, 2`,
  );
  const found: string[] = [];
  for (const { table, column, type } of columns) {
    const holds = type === 'bytea' ? 'position(?::bytea in ??) > 0' : 'strpos(??::text, ?) > 0';
    const values = type === 'bytea' ? [Buffer.from(text), column] : [column, text];
    const { rows } = await db.raw<{ rows: unknown[] }>(`select 1 from ?? where ${holds} limit 1`, [table, ...values]);
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}
