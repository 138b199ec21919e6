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

/** A row that breaks a rule. */
export type BrokenInvariant = { readonly rule: InvariantRule } & (
  | { readonly kind: 'event' | 'delivery'; readonly number: number }
  /** Known by its public id already. */
  | { readonly kind: 'other'; readonly id: string }
);

/** What one short statement has looked at. */
export interface LookedAt {
  readonly broken: readonly BrokenInvariant[];
  readonly lookedCount: number;
  /** Where the next goes on; undefined when this was the last. */
  readonly next: readonly number[] | undefined;
}

/** Rows that a statement looks at: some tens of milliseconds. */
const BATCH_SIZE = 2_000;

export interface InvariantSettings {
  /** Waits of the retry schedule. */
  readonly scheduleLength: number;
  /** How long the whole schedule lasts at most. */
  readonly scheduleMs: number;
  /** From when on events and deliveries are looked at by their numbers. */
  readonly lookBackMs: number;
}

/**
 * The parts of a check. Each looks at a table in short statements, from a position on: events and deliveries by their
 * numbers, what waits by its own indexes, however old it is.
 */
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

/** Looks at the next rows of a part; a table that is not there has none. */
export async function findBrokenInvariants(
  db: Knex,
  { part, from, settings }: { part: InvariantPart; from: readonly number[]; settings: InvariantSettings },
): Promise<LookedAt> {
  const { sql, columns, table } = invariantParts[part];
  const { rows: tables } = await db.raw<{ rows: { found: boolean }[] }>('select to_regclass(?) is not null as found', [
    table,
  ]);
  if (!tables[0]!.found) return { broken: [], lookedCount: 0, next: undefined };
  const [a = 0, b = 0, c = 0] = from;
  const { rows } = await db.transaction(async (trx) => {
    await trx.raw('set local enable_seqscan = off'); // each row is looked up by an index, whatever statistics say
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

/** Only those that the statement names: the others would be unknown to the database. */
function bindingsFor(sql: string, values: Record<string, number>): Record<string, number> {
  const all = { ...values, limit: BATCH_SIZE };
  return Object.fromEntries(Object.entries(all).filter(([name]) => sql.includes(`:${name}`)));
}
