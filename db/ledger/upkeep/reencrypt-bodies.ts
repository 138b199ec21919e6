import type { Knex } from 'knex';
import { type BodyBox, BodyUnreadable, type StoredBody } from '../../core/body-box.ts';
import { bodyContexts, type EventPlace } from '../../core/body-contexts.ts';

export interface ReencryptedBodies {
  readonly counts: Record<string, number>;
  /** Remaining bodies by column and key id. */
  readonly left: Record<string, Record<string, number>>;
}

const SLICE_ROWS = 1_000;
const MAX_SEALED_ROWS = 200;
const MAX_SEALED_BYTES = 16 * 1024 * 1024;
const IN_THE_CLEAR = 'in the clear';

interface BodyColumn {
  readonly table: string;
  readonly keys: readonly string[];
  readonly column: string;
  readonly keyColumn: string;
  /** SQL over `e` and `c`; null for response bodies. */
  readonly place: string;
  readonly joins: string;
}

const responseBodyColumn = {
  column: 'response_body',
  keyColumn: 'response_body_key_id',
  place: 'null',
  joins: '',
} as const;
const eventBodyColumn = { keys: ['id'], column: 'body', keyColumn: 'body_key_id' } as const;
const placeOf = (type: string, resourceId: string): string => `jsonb_build_object('channelType', ${type},
  'resourceId', ${resourceId}, 'eventType', e.event_type, 'conversationKey', e.conversation_key)`;
const columns: readonly BodyColumn[] = [
  {
    table: 'events',
    ...eventBodyColumn,
    place: placeOf('c.type', 'c.resource_id'),
    joins: 'join channels c on c.id = e.channel_id',
  },
  { table: 'unrouted_events', ...eventBodyColumn, place: placeOf('e.type', 'e.resource_id'), joins: '' },
  { table: 'attempts', keys: ['delivery_id', 'number'], ...responseBodyColumn },
  { table: 'test_events', keys: ['delivery_number', 'id'], ...responseBodyColumn },
];

interface StoredRow {
  readonly key: readonly number[];
  readonly body: Buffer;
  readonly body_key_id: string | null;
  readonly place: EventPlace | null;
}

/**
 * Encrypts all bodies with the active key, including unencrypted ones if encryption is enabled. The next run continues
 * an interrupted one. Leaves bodies whose key is missing.
 */
export async function reencryptBodies(db: Knex, bodyBox: BodyBox): Promise<ReencryptedBodies> {
  const counts: Record<string, number> = {};
  const left: Record<string, Record<string, number>> = {};
  for (const column of columns) {
    const name = `${column.table}.${column.column}`;
    counts[name] = await reencryptColumn(db, column, bodyBox);
    left[name] = await countLeft(db, column, bodyBox);
  }
  return { counts, left };
}

async function reencryptColumn(db: Knex, column: BodyColumn, bodyBox: BodyBox): Promise<number> {
  let position: readonly number[] | null = column.keys.map(() => -1);
  let count = 0;
  while (position) {
    const after: readonly number[] = position;
    const slice = await db.transaction((trx) => reencryptSlice(trx, { column, after, bodyBox }));
    count += slice.count;
    position = slice.next;
  }
  return count;
}

interface Slice {
  readonly column: BodyColumn;
  readonly after: readonly number[];
  readonly bodyBox: BodyBox;
}

interface LookedRow {
  readonly key: number[];
  readonly size: number | null;
}

async function reencryptSlice(trx: Knex, { column, after, bodyBox }: Slice) {
  const { activeKeyId, encryptsBodies } = bodyBox;
  const { rows: looked } = await trx.raw<{ rows: LookedRow[] }>(lookSql(column), [
    activeKeyId,
    encryptsBodies,
    ...after,
    SLICE_ROWS,
  ]);
  const last = looked.at(-1);
  if (!last) return { count: 0, next: null };
  const { due, isCut } = fitting(looked);
  const count = due.length === 0 ? 0 : await sealRows(trx, { column, bodyBox, due });
  return { count, next: isCut ? due.at(-1)! : last.key };
}

function fitting(looked: readonly LookedRow[]): { due: number[][]; isCut: boolean } {
  const due: number[][] = [];
  let bytes = 0;
  for (const { key, size } of looked) {
    if (size === null) continue;
    bytes += size;
    if (due.length >= MAX_SEALED_ROWS || (due.length > 0 && bytes > MAX_SEALED_BYTES)) return { due, isCut: true };
    due.push(key);
  }
  return { due, isCut: false };
}

interface Sealing {
  readonly column: BodyColumn;
  readonly bodyBox: BodyBox;
  readonly due: readonly number[][];
}

async function sealRows(trx: Knex, { column, bodyBox, due }: Sealing): Promise<number> {
  const { rows } = await trx.raw<{ rows: StoredRow[] }>(readSql(column), keyArrays(column, due));
  const sealed = rows.flatMap((row) => {
    const body = resealed(row, bodyBox);
    return body ? [{ key: row.key, body }] : [];
  });
  const keys = sealed.map(({ key }) => key);
  const eventBodyColumn = sealed.map(({ body }) => body);
  await trx.raw(updateSql(column), [bodyBox.activeKeyId, ...keyArrays(column, keys), eventBodyColumn]);
  return sealed.length;
}

function resealed(row: StoredRow, bodyBox: BodyBox): Buffer | undefined {
  const context = row.place ? bodyContexts.event(row.place) : bodyContexts.response(row.key[0]!);
  const stored: StoredBody =
    row.body_key_id === null ? row.body : { sealed: row.body, keyId: row.body_key_id, context };
  try {
    return bodyBox.seal(bodyBox.open(stored), context);
  } catch (error) {
    if (error instanceof BodyUnreadable) return undefined;
    throw error;
  }
}

/** In slices: the snapshot of a statement that reads the largest tables would slow all claims meanwhile. */
async function countLeft(db: Knex, column: BodyColumn, bodyBox: BodyBox): Promise<Record<string, number>> {
  const left: Record<string, number> = {};
  for (let after: readonly number[] | null = column.keys.map(() => -1); after;) {
    const bindings = [bodyBox.activeKeyId, bodyBox.encryptsBodies, ...after, SLICE_ROWS];
    const { rows } = await db.raw<{ rows: CountedRow[] }>(countSql(column), bindings);
    const [{ last, counts }] = rows as [CountedRow];
    for (const { keyId, count } of counts ?? []) {
      const name = keyId ?? IN_THE_CLEAR;
      left[name] = (left[name] ?? 0) + count;
    }
    after = last;
  }
  return left;
}

interface CountedRow {
  /** Null after the last row. */
  readonly last: number[] | null;
  readonly counts: { readonly keyId: string | null; readonly count: number }[] | null;
}

const keyArrays = ({ keys }: BodyColumn, rows: readonly (readonly number[])[]): number[][] =>
  keys.map((_, index) => rows.map((row) => row[index]!));

const lookSql = ({ table, keys, column, keyColumn }: BodyColumn): string => `
select array[${keys.join(', ')}]::bigint[] as key,
  case when ${keyColumn} is distinct from ? and (? or ${keyColumn} is not null)
    then nullif(octet_length(${column}), 0) end as size
from ${table}
where (${keys.join(', ')}) > (${keys.map(() => '?::bigint').join(', ')})
order by ${keys.join(', ')} limit ?`;

const countSql = ({ table, keys, column, keyColumn }: BodyColumn): string => `
with slice as materialized (
  select array[${keys.join(', ')}]::bigint[] as key, ${keyColumn} as key_id,
    octet_length(${column}) > 0 and ${keyColumn} is distinct from ? and (? or ${keyColumn} is not null) as is_left
  from ${table}
  where (${keys.join(', ')}) > (${keys.map(() => '?::bigint').join(', ')})
  order by ${keys.join(', ')} limit ?
)
select (select max(key) from slice) as last,
  (select json_agg(json_build_object('keyId', key_id, 'count', count))
   from (select key_id, count(*) from slice where is_left group by 1 order by 1) as counted) as counts`;

/** The lock prevents retention and settlers from changing the rows in the meantime. */
const readSql = ({ table, keys, column, keyColumn, place, joins }: BodyColumn): string => `
select array[${keys.map((key) => `e.${key}`).join(', ')}]::bigint[] as key,
  e.${column} as body, e.${keyColumn} as body_key_id, ${place} as place
from ${table} e
join unnest(${keys.map(() => '?::bigint[]').join(', ')}) as due (${keys.join(', ')}) using (${keys.join(', ')})
${joins}
order by ${keys.map((key) => `e.${key}`).join(', ')}
for no key update of e`;

const updateSql = ({ table, keys, column, keyColumn }: BodyColumn): string => `
update ${table} t set ${column} = sealed.body, ${keyColumn} = ?
from unnest(${keys.map(() => '?::bigint[]').join(', ')}, ?::bytea[]) as sealed (${keys.join(', ')}, body)
where ${keys.map((key) => `t.${key} = sealed.${key}`).join(' and ')}`;
