import type { Knex } from 'knex';
import { queryRows } from './query-rows.ts';

/** Workflow types that the upkeep starts for a row. */
export type RequestedType =
  | 'alertDigest'
  | 'carryContainer'
  | 'carryScheduled'
  | 'eraseData'
  | 'refreshCredential'
  | 'replayDeliveries'
  | 'rollOutWebhook'
  | 'sendNotification';

interface RequestedStart {
  readonly type: RequestedType;
  /** The public ids of the rows, one for each workflow. */
  readonly subjectIds: readonly string[];
  /** Optional. Longer than the caller needs to start the workflow itself after its commit. Default: 0. */
  readonly delayMs?: number;
}

/**
 * Requests that the upkeep start a workflow for each row. Must run in the transaction that commits the rows, so that
 * neither a crash nor an outage of Temporal loses a start. A start may be repeated: the workflow reads its row.
 */
export async function requestStarts(trx: Knex, { type, subjectIds, delayMs = 0 }: RequestedStart): Promise<void> {
  await queryRows(
    trx,
    `insert into workflow_starts (type, subject_id, due_at)
     select :type, id, now() + :delayMs * interval '1 millisecond' from unnest(cast(:subjectIds as text[])) id`,
    { type, subjectIds, delayMs },
  );
}
