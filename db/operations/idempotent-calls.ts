import type { Knex } from 'knex';
import { raw } from 'objection';
import { IdempotentCallModel } from '../models/platform-call.ts';

export interface IdempotentCall {
  readonly channelId: number;
  readonly operation: string;
  readonly keyHash: Buffer;
  readonly requestHash: Buffer;
}

/**
 * `fresh`: the caller makes the call. `answered`: the call was made before. `erased`: it was, and an
 * erasure has removed its answer. `open`: the call is in progress, or its
 * answer was lost. `reused`: the key belongs to another request.
 */
export type IdempotentCallState =
  | { readonly kind: 'fresh'; readonly id: number }
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'erased' }
  | { readonly kind: 'open' }
  | { readonly kind: 'reused' };

/** Of several requests with the same key, exactly one gets `fresh`. */
export async function beginIdempotentCall(db: Knex, call: IdempotentCall): Promise<IdempotentCallState> {
  for (;;) {
    const id = await insertCall(db, call);
    if (id !== undefined) return { kind: 'fresh', id };
    const known = await IdempotentCallModel.query(db)
      .select('request_hash', 'answer')
      .findOne({ channel_id: call.channelId, operation: call.operation, key_hash: call.keyHash });
    if (!known) continue; // Released between the two statements: the key is free again.
    if (!known.requestHash.equals(call.requestHash)) return { kind: 'reused' };
    if (known.answer === null) return { kind: 'open' };
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
    .insert({ channelId, operation, keyHash, requestHash })
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

/** Frees the key of a call that is known to have had no effect. */
export async function releaseIdempotentCall(db: Knex, { id }: { readonly id: number }): Promise<void> {
  await IdempotentCallModel.query(db).deleteById(id).whereNull('answer');
}
