import {
  answerIdempotentCall,
  beginIdempotentCall,
  releaseIdempotentCall,
} from '../../db/operations/idempotent-calls.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { keyHash, requestHash } from '../routing/request-hash.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, HttpError, OutcomeUnknown } from '../requests/errors.ts';

type KeyedCallDeps = Pick<ApiDeps, 'db' | 'log'>;

export interface KeyedCall<Answer> {
  readonly channel: ChannelRecord;
  readonly operationId: string;
  readonly idempotencyKey: string | null;
  readonly content: unknown;
  readonly check: string;
  readonly readAnswer: (kept: unknown) => Answer;
  readonly act: () => Promise<Answer>;
}

/**
 * A refusal releases the key, because nothing was done. If the outcome is unknown, the key stays taken and the call is
 * not repeated.
 */
export async function onceByKey<Answer>(deps: KeyedCallDeps, call: KeyedCall<Answer>): Promise<Answer> {
  const { channel, operationId: operation, idempotencyKey, content, act } = call;
  if (idempotencyKey === null) return await act();
  const state = await beginIdempotentCall(deps.db, {
    channelId: channel.id,
    operation,
    keyHash: keyHash(idempotencyKey),
    // A channel may move: its new workspace must not see the answer.
    requestHash: requestHash({ workspaceId: channel.workspaceId, content }),
  });
  switch (state.kind) {
    case 'answered':
      return call.readAnswer(state.answer);
    case 'erased':
      throw erased();
    case 'open':
      throw unfinished(call.check);
    case 'reused':
      throw reused();
    case 'fresh':
      return await firstCall(deps, { id: state.id, act });
  }
}

async function firstCall<Answer>(
  { db, log }: KeyedCallDeps,
  { id, act }: { readonly id: number; readonly act: () => Promise<Answer> },
): Promise<Answer> {
  const answer = await act().catch(async (error: unknown) => {
    if (isRefusal(error)) await releaseIdempotentCall(db, { id });
    throw error;
  });
  // The client gets the answer even if it can't be stored.
  await answerIdempotentCall(db, { id, answer }).catch((error: unknown) =>
    log.error('idempotentCall.storeFailed', { error }),
  );
  return answer;
}

/** Unexpected errors may follow the call. */
function isRefusal(error: unknown): boolean {
  return error instanceof HttpError && !(error instanceof OutcomeUnknown);
}

function unfinished(check: string): OutcomeUnknown {
  return new OutcomeUnknown(
    `A request with this Idempotency-Key is under way, or its outcome is not known; nothing was sent again. ${check}`,
  );
}

const erased = (): Conflict =>
  new Conflict(
    'ANSWER_ERASED',
    'The call with this Idempotency-Key was made. Its answer was erased; nothing was sent again.',
  );

const reused = (): Conflict =>
  new Conflict('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another request. Use a new key.');
