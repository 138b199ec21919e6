import { hkdfSync } from 'node:crypto';
import type { Knex } from 'knex';

/** Longer texts are documents and sealed secrets, not keys. */
const MAX_KEY_LENGTH = 128;
const MIN_KEY_LENGTH = 8;

export type Dump = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Reads every row of every table, like a stolen backup. */
export async function dumpDatabase(db: Knex): Promise<Dump> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  const tables: Record<string, Record<string, unknown>[]> = {};
  for (const { name } of rows) tables[name] = await db(name).select('*');
  return tables;
}

export function textOfDump(dump: Dump): string {
  return JSON.stringify(dump, (_key, value: unknown) => (isBytes(value) ? spellings(value).join(' ') : value));
}

/** Returns each value that could be a key, as bytes and decoded. */
export function keysInDump(dump: Dump): Buffer[] {
  const found = new Map<string, Buffer>();
  const add = (bytes: Buffer) => bytes.length >= MIN_KEY_LENGTH && found.set(bytes.toString('hex'), bytes);
  for (const value of Object.values(dump).flatMap((rows) => rows.flatMap((row) => Object.values(row)))) {
    const bytes = Buffer.isBuffer(value) ? value : typeof value === 'string' ? Buffer.from(value) : Buffer.alloc(0);
    if (bytes.length > MAX_KEY_LENGTH) continue;
    add(bytes);
    if (typeof value !== 'string') for (const spelling of spellings(bytes)) add(Buffer.from(spelling));
    else for (const encoding of ['hex', 'base64'] as const) add(Buffer.from(value, encoding));
  }
  return [...found.values()];
}

export function derivedKeys(key: Buffer, labels: readonly string[]): Buffer[] {
  return [key, ...labels.map((label) => Buffer.from(hkdfSync('sha256', key, '', label, 32)))];
}

function spellings(bytes: Buffer | { readonly data: number[] }): string[] {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.data);
  return (['hex', 'base64', 'base64url'] as const).map((encoding) => buffer.toString(encoding));
}

function isBytes(value: unknown): value is { readonly data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
}
