import { setTimeout as sleep } from 'node:timers/promises';
import {
  answerIdempotentCall,
  beginIdempotentCall,
  type IdempotentCallState,
  loseIdempotentCall,
  releaseIdempotentCall,
  RENEW_CALL_MS,
  renewIdempotentCall,
} from '../../db/operations/idempotent-calls.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { keyHash, requestHash } from '../routing/request-hash.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, HttpError, KeyReused, OutcomeUnknown } from '../requests/errors.ts';

type KeyedCallDeps = Pick<ApiDeps, 'db' | 'log'>;

export interface KeyedCall<Answer> {
  readonly channel: ChannelRecord;
  readonly operationId: string;
  readonly idempotencyKey: string | null;
  readonly content: unknown;
  readonly check: string;
  /** Optional. Ends the wait for the first call. */
  readonly signal?: AbortSignal;
  /** Optional. How long a repeat waits for the first call. Default: 20 s. */
  readonly waitMs?: number;
  readonly readAnswer: (kept: unknown) => Answer;
  readonly act: () => Promise<Answer>;
}

/** Shorter than the time-outs of clients. */
const WAIT_MS = 20_000;
const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 1_000;
const RETRY_SECONDS = 5;

/**
 * A refusal releases the key, because nothing was done. If the outcome is unknown, the key stays taken and the call is
 * not repeated. A repeat waits for a call that still runs, and gets its answer.
 */
export async function onceByKey<Answer>(deps: KeyedCallDeps, call: KeyedCall<Answer>): Promise<Answer> {
  const { channel, operationId: operation, idempotencyKey, content, act } = call;
  if (idempotencyKey === null) return await act();
  const taken = {
    channelId: channel.id,
    operation,
    keyHash: keyHash(idempotencyKey),
    // A channel may move: its new workspace must not see the answer.
    requestHash: requestHash({ workspaceId: channel.workspaceId, content }),
  };
  const state = await untilEnded(() => beginIdempotentCall(deps.db, taken), call);
  switch (state.kind) {
    case 'answered':
      return call.readAnswer(state.answer);
    case 'erased':
      throw erased();
    case 'running':
      throw running();
    case 'lost':
      throw lost(call.check);
    case 'reused':
      throw reused();
    case 'fresh':
      return await firstCall(deps, { id: state.id, act });
  }
}

/** Returns `running` if the first call takes too long. */
async function untilEnded(
  read: () => Promise<IdempotentCallState>,
  { signal, waitMs = WAIT_MS }: Pick<KeyedCall<never>, 'signal' | 'waitMs'>,
): Promise<IdempotentCallState> {
  const endMs = performance.now() + waitMs;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
    const state = await read();
    const leftMs = endMs - performance.now();
    if (state.kind !== 'running' || leftMs <= 0 || signal?.aborted) return state;
    await sleep(Math.min(pollMs, leftMs), undefined, signal && { signal }).catch(() => undefined);
  }
}

async function firstCall<Answer>(
  { db, log }: KeyedCallDeps,
  { id, act }: { readonly id: number; readonly act: () => Promise<Answer> },
): Promise<Answer> {
  const renewFailed = (error: unknown): void => log.warn('idempotentCall.renewFailed', { error });
  const renewing = setInterval(() => void renewIdempotentCall(db, { id }).catch(renewFailed), RENEW_CALL_MS);
  const answer = await act()
    .catch(async (error: unknown) => {
      await (isRefusal(error) ? releaseIdempotentCall(db, { id }) : loseIdempotentCall(db, { id }));
      throw error;
    })
    .finally(() => clearInterval(renewing));
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

function lost(check: string): OutcomeUnknown {
  return new OutcomeUnknown(
    `The outcome of the first request with this Idempotency-Key is not known; nothing was sent again. ${check}`,
  );
}

const running = (): Conflict =>
  new Conflict(
    'IDEMPOTENCY_KEY_IN_USE',
    'A request with this Idempotency-Key is still running; nothing was sent again. Repeat it to get its answer.',
    { retryAfterSeconds: RETRY_SECONDS },
  );

const erased = (): Conflict =>
  new Conflict(
    'ANSWER_ERASED',
    'The call with this Idempotency-Key was made. Its answer was erased; nothing was sent again.',
  );

const reused = (): Conflict => new KeyReused();
