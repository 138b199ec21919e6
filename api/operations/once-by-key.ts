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
  /** Null: the client gives none, and every request is a call. */
  readonly idempotencyKey: string | null;
  /** All that makes the call what it is, besides the channel. */
  readonly content: unknown;
  /** What to look at where the outcome is not known. */
  readonly check: string;
  /** Reads a kept answer; it came from `act` once. */
  readonly readAnswer: (kept: unknown) => Answer;
  readonly act: () => Promise<Answer>;
}

/**
 * Makes a call once for each key, however often it is asked for. A refusal frees the key, since nothing was done. While
 * the outcome is not known, be it that the call is under way, its answer was lost or this process ended in it, the key
 * stays taken and nothing is sent with it again.
 */
export async function onceByKey<Answer>(deps: KeyedCallDeps, call: KeyedCall<Answer>): Promise<Answer> {
  const { channel, operationId: operation, idempotencyKey, content, act } = call;
  if (idempotencyKey === null) return await act();
  const standing = await beginIdempotentCall(deps.db, {
    channelId: channel.id,
    operation,
    keyHash: keyHash(idempotencyKey),
    // A channel may move: what was answered in another workspace is nobody's business in this one.
    requestHash: requestHash({ workspaceId: channel.workspaceId, content }),
  });
  switch (standing.kind) {
    case 'answered':
      return call.readAnswer(standing.answer);
    case 'open':
      throw unfinished(call.check);
    case 'reused':
      throw reused();
    case 'fresh':
      return await firstCall(deps, { id: standing.id, act });
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
  // The client gets the answer in any case; without its row, a repeat is told that the outcome is not known.
  await answerIdempotentCall(db, { id, answer }).catch((error: unknown) =>
    log.error('idempotentCall.unkept', { error }),
  );
  return answer;
}

/** What nobody foresaw may have come after the call was made. */
function isRefusal(error: unknown): boolean {
  return error instanceof HttpError && !(error instanceof OutcomeUnknown);
}

function unfinished(check: string): OutcomeUnknown {
  return new OutcomeUnknown(
    `A request with this Idempotency-Key is under way, or its outcome is not known; nothing was sent again. ${check}`,
  );
}

const reused = (): Conflict =>
  new Conflict('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key came with another request before. Choose another.');
