import type { Knex } from 'knex';
import {
  type AcknowledgedMove,
  type Acknowledgement,
  acknowledgedMove,
} from '../../../contract/deliveries/acknowledgement.ts';
import type { DeliveryStatus } from '../../../contract/deliveries/status.ts';
import { ledgerTransaction } from '../../core/ledger-transaction.ts';
import { countExhaustedSql } from '../destinations/failure-counts-sql.ts';
import { isNotified, moveDeliveriesSql } from '../transitions/move-deliveries-sql.ts';
import type { ListenerPlace } from './listener-deliveries.ts';

export interface AcknowledgedAttempt extends Acknowledgement {
  readonly deliveryId: number;
  readonly status: number | null;
  readonly durationMs: number;
  readonly responseBody: Buffer | null;
  /** Optional. Null if plaintext. */
  readonly responseBodyKeyId?: string | null;
  readonly error: string | null;
}

export type AcknowledgeResult =
  | { readonly outcome: 'recorded'; readonly count: number }
  /** `foreign`: deliveries of other listeners. `unread`: attempts that no reader has received. */
  | { readonly outcome: 'foreign' | 'unread'; readonly deliveryIds: readonly number[] }
  | { readonly outcome: 'no_listener' };

export interface AcknowledgeRequest extends Omit<ListenerPlace, 'after'> {
  readonly attempts: readonly AcknowledgedAttempt[];
}

/** Records all reported outcomes or none. Locks the destination, then deliveries in id order. */
export async function acknowledgeDeliveries(db: Knex, request: AcknowledgeRequest): Promise<AcknowledgeResult> {
  const { destinationId, attempts } = request;
  return await ledgerTransaction(db, async (trx) => {
    const locked = await trx.raw<{ rows: { channelId: number }[] }>(
      'select channel_id as "channelId" from destinations where id = ? and deleted_at is null for no key update',
      [destinationId],
    );
    const [destination] = locked.rows;
    if (!destination) return { outcome: 'no_listener' };
    const standing = await lockDeliveries(trx, request);
    const foreign = attempts.filter(({ deliveryId }) => !standing.has(deliveryId));
    if (foreign.length > 0) return { outcome: 'foreign', deliveryIds: numbersOf(foreign) };
    const moves = attempts.map((attempt) => ({
      attempt,
      move: acknowledgedMove(standing.get(attempt.deliveryId)!, attempt),
    }));
    const unread = moves.filter(({ move }) => move === 'unread');
    if (unread.length > 0) return { outcome: 'unread', deliveryIds: numbersOf(unread.map(({ attempt }) => attempt)) };
    const recorded = moves.flatMap(({ attempt, move }) =>
      move === undefined || move === 'unread' ? [] : [{ ...attempt, move }],
    );
    if (recorded.length > 0) await record(trx, { ...destination, destinationId, recorded });
    return { outcome: 'recorded', count: recorded.length };
  });
}

const numbersOf = (attempts: readonly AcknowledgedAttempt[]): number[] => attempts.map(({ deliveryId }) => deliveryId);

type Standing = ReadonlyMap<number, { readonly status: DeliveryStatus; readonly attemptCount: number }>;

async function lockDeliveries(trx: Knex, request: AcknowledgeRequest): Promise<Standing> {
  const { destinationId, workspaceId, attempts } = request;
  const { rows } = await trx.raw<{ rows: { id: number; status: DeliveryStatus; attemptCount: number }[] }>(
    `select id, status, attempt_count as "attemptCount" from deliveries
     where id = any (?::bigint[]) and destination_id = ? and workspace_id = ? order by id for update`,
    [numbersOf(attempts), destinationId, workspaceId],
  );
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

interface Recorded {
  readonly channelId: number;
  readonly destinationId: number;
  readonly recorded: readonly (AcknowledgedAttempt & { readonly move: AcknowledgedMove })[];
}

/** An acceptance replaces a failure recorded for the same attempt. */
async function record(trx: Knex, { channelId, destinationId, recorded }: Recorded): Promise<void> {
  const outcomes = recorded.map(({ outcome }) => outcome);
  await trx('attempts')
    .insert(
      recorded.map(({ deliveryId, move, durationMs, ...attempt }) => ({
        channel_id: channelId,
        delivery_id: deliveryId,
        number: move.number,
        started_at: trx.raw(`now() - ? * interval '1 millisecond'`, [durationMs]),
        duration_ms: durationMs,
        outcome: attempt.outcome,
        status: attempt.status,
        response_headers: null,
        response_body: attempt.responseBody,
        response_body_key_id: attempt.responseBodyKeyId ?? null,
        error: attempt.error,
      })),
    )
    .onConflict(['delivery_id', 'number'])
    .merge([
      ...['channel_id', 'started_at', 'duration_ms', 'outcome', 'status', 'response_headers', 'response_body'],
      ...['response_body_key_id', 'error'],
    ]);
  await trx.raw(moveSql, {
    ids: recorded.map(({ deliveryId }) => deliveryId),
    numbers: recorded.map(({ move }) => move.number),
    transitions: recorded.map(({ move }) => move.transition),
  });
  await trx.raw(
    `update destinations dest set last_delivered_at = case when :accepted then now() else last_delivered_at end,
       last_failure_at = case when :failed then now() else last_failure_at end,
       ${countExhaustedSql('cast(:exhausted as int)').trim()}
     where id = :destinationId`,
    {
      destinationId,
      exhausted: recorded.filter(({ move }) => move.transition === 'exhaust').length,
      accepted: outcomes.includes('accepted'),
      failed: outcomes.some((outcome) => outcome !== 'accepted'),
    },
  );
}

/** A new transaction id moves retried deliveries to the end of the reading order. */
const moveSql = `
with ${moveDeliveriesSql({
  source:
    'unnest(cast(:ids as bigint[]), cast(:numbers as int[]), cast(:transitions as text[])) as v (id, number, transition)',
  id: 'v.id',
  transition: [
    { transition: 'deliver', when: "v.transition = 'deliver'" },
    { transition: 'exhaust', when: "v.transition = 'exhaust'" },
    { transition: 'reread' },
  ],
  set: 'attempt_count = greatest(d.attempt_count, v.number)',
  notify: 'released',
})}
select from moved where ${isNotified}`;
