import type { Knex } from 'knex';

export interface IdempotentCall {
  readonly channelId: number;
  readonly operation: string;
  readonly keyHash: Buffer;
  readonly requestHash: Buffer;
}

/** How a call with a key stands: to be made now, answered before, under way or unanswered, or the key is another call's. */
export type CallStanding =
  | { readonly kind: 'fresh'; readonly id: number }
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'open' }
  | { readonly kind: 'reused' };

/** Claims a key for a call. Of several requests with the same one, a single one is told to make the call. */
export async function beginIdempotentCall(db: Knex, call: IdempotentCall): Promise<CallStanding> {
  const key = { channel_id: call.channelId, operation: call.operation, key_hash: call.keyHash };
  for (;;) {
    const inserted: { id: number }[] = await db('idempotent_calls')
      .insert({ ...key, request_hash: call.requestHash })
      .onConflict(['channel_id', 'operation', 'key_hash'])
      .ignore()
      .returning('id');
    if (inserted[0]) return { kind: 'fresh', id: inserted[0].id };
    const known: { request_hash: Buffer; answer: unknown } | undefined = await db('idempotent_calls')
      .where(key)
      .first('request_hash', 'answer');
    if (!known) continue; // given up in this moment, so that the key is free again
    if (!known.request_hash.equals(call.requestHash)) return { kind: 'reused' };
    return known.answer === null ? { kind: 'open' } : { kind: 'answered', answer: known.answer };
  }
}

/** Keeps the answer, for whoever asks with the same key again. */
export async function answerIdempotentCall(
  db: Knex,
  { id, answer }: { readonly id: number; readonly answer: unknown },
): Promise<void> {
  await db('idempotent_calls')
    .where({ id })
    .update({ answer: JSON.stringify(answer), answered_at: db.fn.now() });
}

/** Frees the key of a call that certainly had no effect. */
export async function releaseIdempotentCall(db: Knex, { id }: { readonly id: number }): Promise<void> {
  await db('idempotent_calls').where({ id }).whereNull('answer').delete();
}
