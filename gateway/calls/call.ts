import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyBudget, BodyReservation } from '../../process/body-budget.ts';
import type { TokenChannel } from '../../db/channels/tokens.ts';
import type { ChannelAccount } from '../../db/channels/account.ts';
import type { GatewayLimits } from './deps.ts';
import { onceClosed } from '../../process/once-closed.ts';
import { answeredRequestId, type RequestIds, requestIdsOf } from '../../process/request-id.ts';
import { securityHeaders } from '../../process/security-headers.ts';

export interface Call extends RequestIds {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedAtMs: number;
  readonly timeMs: number;
  /** Held until the response is complete. */
  readonly reservation: BodyReservation;
  /** Aborts on disconnect or timeout. */
  readonly signal: AbortSignal;
  readonly logFields: Record<string, unknown>;
  readonly tally: CallTally;
  readonly isGone: () => boolean;
  readonly end: () => void;
}

export interface CallTally {
  /** `none` until authenticated. */
  product: string;
  platformMs: number;
  isAnswerLost: boolean;
}

export interface ChannelCall extends Call {
  readonly channel: TokenChannel;
  readonly account: ChannelAccount;
  readonly caller: string;
}

type CallBounds = Pick<GatewayLimits, 'callMs' | 'answerMarginMs'> & { readonly bodies: BodyBudget };

export function beginCall(
  request: IncomingMessage,
  response: ServerResponse,
  { callMs, answerMarginMs, bodies }: CallBounds,
): Call {
  const abort = new AbortController();
  const ids = requestIdsOf(request.headers['x-request-id']);
  let isGone = false;
  const timer = setTimeout(() => abort.abort(), callMs);
  // A caller that does not read must not hold the connection forever.
  const deadline = setTimeout(() => response.destroy(), callMs + answerMarginMs);
  response.setHeader('x-request-id', answeredRequestId(ids));
  response.setHeader('cache-control', 'no-store');
  for (const name in securityHeaders) response.setHeader(name, securityHeaders[name as keyof typeof securityHeaders]);
  const reservation = bodies.open();
  onceClosed(response, () => {
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
    ...ids,
    startedAtMs: performance.now(),
    timeMs: callMs,
    reservation,
    signal: abort.signal,
    logFields: ids.callerRequestId === null ? {} : { callerRequestId: ids.callerRequestId },
    tally: { product: 'none', platformMs: 0, isAnswerLost: false },
    isGone: () => isGone,
    end: () => clearTimeout(timer),
  };
}
