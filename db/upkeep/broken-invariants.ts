import type { Knex } from 'knex';
import type { InvariantRule } from '../../contract/upkeep/invariants.ts';
import {
  circuitsSql,
  containersSql,
  deliveriesSql,
  eventsSql,
  holdsSql,
  pendingSql,
  replaysSql,
  retryingSql,
} from './invariant-rules.ts';

export type BrokenInvariant = { readonly rule: InvariantRule } & (
  | { readonly kind: 'event' | 'delivery'; readonly number: number }
  /** A public id. */
  | { readonly kind: 'other'; readonly id: string }
);

export interface CheckedRows {
  readonly broken: readonly BrokenInvariant[];
  readonly lookedCount: number;
  readonly next: readonly number[] | undefined;
}

/** Keeps one statement to tens of milliseconds. */
const BATCH_SIZE = 2_000;

export interface InvariantSettings {
  readonly scheduleLength: number;
  readonly scheduleMs: number;
  /** Age up to which rows are checked by id. */
  readonly lookBackMs: number;
}

export const invariantParts = {
  events: { sql: eventsSql, columns: 1, table: 'events' },
  deliveries: { sql: deliveriesSql, columns: 1, table: 'deliveries' },
  pending: { sql: pendingSql, columns: 3, table: 'deliveries' },
  retrying: { sql: retryingSql, columns: 2, table: 'deliveries' },
  holds: { sql: holdsSql, columns: 3, table: 'conversation_holds' },
  circuits: { sql: circuitsSql, columns: 1, table: 'destinations' },
  replays: { sql: replaysSql, columns: 1, table: 'replays' },
  containers: { sql: containersSql, columns: 1, table: 'media_containers' },
} as const;
export type InvariantPart = keyof typeof invariantParts;

/** Returns no rows if the table does not exist. */
export async function findBrokenInvariants(
  db: Knex,
  { part, from, settings }: { part: InvariantPart; from: readonly number[]; settings: InvariantSettings },
): Promise<CheckedRows> {
  const { sql, columns, table } = invariantParts[part];
  const { rows: tables } = await db.raw<{ rows: { found: boolean }[] }>('select to_regclass(?) is not null as found', [
    table,
  ]);
  if (!tables[0]!.found) return { broken: [], lookedCount: 0, next: undefined };
  const [a = 0, b = 0, c = 0] = from;
  const { rows } = await db.transaction(async (trx) => {
    await trx.raw('set local enable_seqscan = off'); // use the index despite outdated statistics
    return await trx.raw<{ rows: LookedRow[] }>(sql, bindingsFor(sql, { a, b, c, ...settings }));
  });
  const { looked, last, broken } = rows[0]!;
  const isLast = looked < BATCH_SIZE || last === null;
  return { broken, lookedCount: looked, next: isLast ? undefined : last.slice(0, columns) };
}

interface LookedRow {
  looked: number;
  last: number[] | null;
  broken: BrokenInvariant[];
}

function bindingsFor(sql: string, values: Record<string, number>): Record<string, number> {
  const all = { ...values, limit: BATCH_SIZE };
  return Object.fromEntries(Object.entries(all).filter(([name]) => sql.includes(`:${name}`)));
}
