import type { AttemptOutcome } from '../../contract/deliveries/status.ts';
import { type PackedBytes, packBytes } from '../core/hot-pool.ts';
import { type ColumnTable, rowColumns } from '../core/named-statement.ts';
import { locksSql } from './destinations/failure-counts-sql.ts';

export interface Attempt {
  readonly number: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: Uint8Array | null;
  /** Optional. Null if plaintext. */
  readonly responseBodyKeyId?: string | null;
  readonly error: string | null;
  /** Optional. What was sent, packed. Null if nothing was. Default: null. */
  readonly request?: Buffer | null;
  /** Optional. The deliveries of a debounced destination in the same request, in order. Default: the destination is not debounced. */
  readonly batch?: readonly number[];
}

export interface AttemptResult {
  readonly deliveryId: number;
  readonly destinationId: number;
  readonly attempt: Attempt;
}

/** Attempts as parameters of a statement: an array for each column, and one byte string each for bodies and requests. */
export interface AttemptParameters<Settled> {
  /** Builds `locked`, `left_out`, `settled` and `latest`, and begins `logged`. Needs `:waits`. */
  readonly sql: string;
  /** The parameters as rows with an alias. */
  from(alias: string): string;
  values(settled: readonly Settled[]): Record<string, unknown>;
}

interface Packed<Settled> {
  readonly settled: Settled;
  readonly bodies: PackedBytes;
  readonly requests: PackedBytes;
}

const attemptColumns: ColumnTable<Packed<AttemptResult>> = {
  id: { type: 'bigint', of: ({ settled }) => settled.deliveryId },
  destination_id: { type: 'bigint', of: ({ settled }) => settled.destinationId },
  number: { type: 'int', of: ({ settled }) => settled.attempt.number },
  started_at_ms: { type: 'bigint', of: ({ settled }) => settled.attempt.startedAtMs },
  duration_ms: { type: 'int', of: ({ settled }) => settled.attempt.durationMs },
  outcome: { type: 'text', of: ({ settled }) => settled.attempt.outcome },
  http_status: { type: 'smallint', of: ({ settled }) => settled.attempt.status },
  headers: { type: 'jsonb', of: ({ settled }) => jsonOf(settled.attempt.responseHeaders) },
  error: { type: 'text', of: ({ settled }) => settled.attempt.error },
  body_at: { type: 'int', of: ({ bodies }, index) => bodies.offsets[index] },
  body_length: { type: 'int', of: ({ bodies }, index) => bodies.lengths[index] },
  body_key_id: { type: 'text', of: ({ settled }) => settled.attempt.responseBodyKeyId ?? null },
  request_at: { type: 'int', of: ({ requests }, index) => requests.offsets[index] },
  request_length: { type: 'int', of: ({ requests }, index) => requests.lengths[index] },
  batch: { type: 'text', of: ({ settled }) => arrayOf(settled.attempt.batch) },
};

export function attemptParameters<Settled extends AttemptResult>(
  further: ColumnTable<Settled> = {},
): AttemptParameters<Settled> {
  const furtherColumns = Object.entries(further).map(
    ([name, { type, of }]) =>
      [name, { type, of: ({ settled }: Packed<Settled>, index: number) => of(settled, index) }] as const,
  );
  const columns = rowColumns<Packed<Settled>>({ ...attemptColumns, ...Object.fromEntries(furtherColumns) });
  return {
    sql: settledCtes(columns.from('s')),
    from: columns.from,
    values(settled) {
      const bodies = packBytes(settled.map(({ attempt }) => attempt.responseBody));
      const requests = packBytes(settled.map(({ attempt }) => attempt.request ?? null));
      const rows = settled.map((one) => ({ settled: one, bodies, requests }));
      return { ...columns.values(rows), bodies: bodies.blob, requests: requests.blob };
    },
  };
}

const jsonOf = (headers: Attempt['responseHeaders']): string | null => headers && JSON.stringify(headers);

/** As text, because arrays of a column must have equal lengths. */
const arrayOf = (batch: Attempt['batch']): string | null => (batch ? `{${batch.join()}}` : null);

/** The first delivery in the request of the attempt. */
export const requestIdSql = (alias: string): string => `coalesce((${alias}.batch::bigint[])[1], ${alias}.id)`;

/** Columns of the parameters that `insertAttemptsSql` reads, apart from the delivery and its channel. */
export const attemptColumnNames = [
  ...['number', 'started_at_ms', 'duration_ms', 'outcome', 'http_status', 'headers', 'error'],
  ...['body_at', 'body_length', 'body_key_id', 'request_at', 'request_length', 'batch'],
];

/** Inserts a relation of attempts with the channel of each. */
export const insertAttemptsSql = (attempted: string): string => `
  insert into attempts
    (channel_id, delivery_id, number, started_at, duration_ms, outcome, status, response_headers, response_body,
      response_body_key_id, error, request, batch)
  select channel_id, id, number, to_timestamp(started_at_ms / 1000.0), duration_ms, outcome, http_status, headers,
    substring(:bodies::bytea from body_at for body_length), body_key_id, error,
    substring(:requests::bytea from request_at for request_length), batch::bigint[]
  from ${attempted}`;

/**
 * Locks destinations, then deliveries, each in id order. Counting `locked` makes the other parts wait for the locks. A
 * request with several events counts once.
 */
const settledCtes = (rows: string): string => `
with ${locksSql},
settled as materialized (
  select s.*, l.channel_id from ${rows} left join locked l on l.id = s.destination_id
  where (select count(*) from locked) >= 0 and s.destination_id not in (select id from left_out)
),
latest as (
  select destination_id, to_timestamp(max(started_at_ms + duration_ms) / 1000.0) as ended_at
  from settled group by destination_id
),
logged as (${insertAttemptsSql('settled')}
  on conflict (delivery_id, number)`;
