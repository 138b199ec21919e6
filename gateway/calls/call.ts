import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyBudget, BodyReservation } from '../../process/body-budget.ts';
import type { TokenChannel } from '../../db/channels/tokens.ts';
import type { ChannelAccount } from '../../db/channels/account.ts';
import type { GatewayLimits } from './deps.ts';
import { requestIdOf } from '../../process/request-id.ts';
import { securityHeaders } from '../../process/security-headers.ts';

/** One request on its way through. */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly startedAtMs: number;
  /** How long the call may take. */
  readonly timeMs: number;
  /** What the call's body takes of the budget, until its answer is complete. */
  readonly reservation: BodyReservation;
  /** Aborted when the caller goes away or the time for the call is over. */
  readonly signal: AbortSignal;
  /** Added to the call's log line. */
  readonly logFields: Record<string, unknown>;
  /** What the call has come to so far, for the metrics. */
  readonly tally: CallTally;
  /** Whether the caller has gone. */
  readonly isGone: () => boolean;
  readonly end: () => void;
}

export interface CallTally {
  /** `none` until a token has opened a channel. */
  product: string;
  /** Time that requests to the platform have taken. */
  platformMs: number;
  /** The platform's answer broke off after its status had been passed on. */
  isAnswerLost: boolean;
}

/** A call whose token has opened a channel. */
export interface ChannelCall extends Call {
  readonly channel: TokenChannel;
  readonly account: ChannelAccount;
  /** The beginning of the token, which tells in the list of calls whose call it was. */
  readonly caller: string;
}

type CallBounds = Pick<GatewayLimits, 'callMs' | 'answerMarginMs'> & { readonly bodies: BodyBudget };

export function beginCall(
  request: IncomingMessage,
  response: ServerResponse,
  { callMs, answerMarginMs, bodies }: CallBounds,
): Call {
  const abort = new AbortController();
  const requestId = requestIdOf(request.headers['x-request-id']);
  let isGone = false;
  const timer = setTimeout(() => abort.abort(), callMs);
  // A caller that does not read its answer would hold it, and its connection, for ever.
  const deadline = setTimeout(() => response.destroy(), callMs + answerMarginMs);
  response.setHeader('x-request-id', requestId);
  response.setHeader('cache-control', 'no-store');
  for (const name in securityHeaders) response.setHeader(name, securityHeaders[name as keyof typeof securityHeaders]);
  const reservation = bodies.open();
  response.once('close', () => {
    clearTimeout(timer);
    clearTimeout(deadline);
    reservation.release();
    if (response.writableFinished) return;
    isGone = true;
    abort.abort();
  });
  return {
    request,
    response,
    requestId,
    startedAtMs: performance.now(),
    timeMs: callMs,
    reservation,
    signal: abort.signal,
    logFields: {},
    tally: { product: 'none', platformMs: 0, isAnswerLost: false },
    isGone: () => isGone,
    end: () => clearTimeout(timer),
  };
}
