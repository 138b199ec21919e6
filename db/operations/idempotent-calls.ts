import type { Knex } from 'knex';
import { raw } from 'objection';
import { IdempotentCallModel } from '../models/platform-call.ts';
import type { Columns } from '../core/model.ts';

export type IdempotentCall = Columns<IdempotentCallModel, 'channelId' | 'operation' | 'keyHash' | 'requestHash'>;

/**
 * `fresh`: the caller makes the call. `answered`: the call was made before. `erased`: it was, and an
 * erasure has removed its answer. `running`: another process or request makes it. `lost`: its outcome is not known, or
 * its process died. `reused`: the key belongs to another request.
 */
export type IdempotentCallState =
  | { readonly kind: 'fresh'; readonly id: number }
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'erased' }
  | { readonly kind: 'running' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'reused' };

/** A call is taken for lost if its process has not renewed it for this long. */
const RUNNING_MS = 20_000;
/** Several renewals may fail. */
export const RENEW_CALL_MS = 5_000;

interface KnownCall {
  readonly requestHash: Buffer;
  readonly answer: unknown;
  readonly isRunning: boolean | null;
}

/** Of several requests with the same key, exactly one gets `fresh`. */
export async function beginIdempotentCall(db: Knex, call: IdempotentCall): Promise<IdempotentCallState> {
  for (;;) {
    const id = await insertCall(db, call);
    if (id !== undefined) return { kind: 'fresh', id };
    const known = await IdempotentCallModel.query(db)
      .select('request_hash', 'answer', raw('running_until > clock_timestamp()').as('is_running'))
      .findOne({ channel_id: call.channelId, operation: call.operation, key_hash: call.keyHash })
      .castTo<KnownCall | undefined>();
    if (!known) continue; // Released between the two statements: the key is free again.
    if (!known.requestHash.equals(call.requestHash)) return { kind: 'reused' };
    if (known.answer === null) return { kind: known.isRunning ? 'running' : 'lost' };
    return isErased(known.answer) ? { kind: 'erased' } : { kind: 'answered', answer: known.answer };
  }
}

/** As the erasure leaves it. Answers of operations have members. */
function isErased(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && Object.keys(answer).length === 0;
}

/** Returns undefined if the key is taken. */
async function insertCall(db: Knex, call: IdempotentCall): Promise<number | undefined> {
  const { channelId, operation, keyHash, requestHash } = call;
  const inserted: { readonly id?: number } = await IdempotentCallModel.query(db)
    .insert({ channelId, operation, keyHash, requestHash, runningUntil: runningUntil() })
    .onConflict(['channel_id', 'operation', 'key_hash'])
    .ignore();
  return inserted.id;
}

export async function answerIdempotentCall(
  db: Knex,
  { id, answer }: { readonly id: number; readonly answer: unknown },
): Promise<void> {
  await IdempotentCallModel.query(db)
    .findById(id)
    .patch({ answer: JSON.stringify(answer), answeredAt: raw('now()') });
}

function runningUntil() {
  return raw(`clock_timestamp() + ? * interval '1 millisecond'`, [RUNNING_MS]);
}

export async function renewIdempotentCall(db: Knex, { id }: { readonly id: number }): Promise<void> {
  await IdempotentCallModel.query(db)
    .findById(id)
    .whereNotNull('running_until')
    .patch({ runningUntil: runningUntil() });
}

/** Keeps the key of a call whose outcome is not known. */
export async function loseIdempotentCall(db: Knex, { id }: { readonly id: number }): Promise<void> {
  await IdempotentCallModel.query(db).findById(id).whereNull('answer').patch({ runningUntil: null });
}

/** Frees the key of a call that is known to have had no effect. */
export async function releaseIdempotentCall(db: Knex, { id }: { readonly id: number }): Promise<void> {
  await IdempotentCallModel.query(db).deleteById(id).whereNull('answer');
}
