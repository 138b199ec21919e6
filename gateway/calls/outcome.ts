import { refusalObject } from '../../platform/forwarding/refusal-object.ts';
import { endWithError, errorBody, HttpError, InternalError } from '../../process/http-errors.ts';
import { answeredRequestId } from '../../process/request-id.ts';
import type { Log } from '../../process/log.ts';
import { onceClosed } from '../../process/once-closed.ts';
import type { Call } from './call.ts';
import type { GatewayDeps } from './deps.ts';
import type { GatewayMeter, GatewayOutcome } from '../../metrics/gateway-metrics.ts';
import type { Traces } from '../../process/traces/traces.ts';

/** Omits query, body and credential. */
export function logCall(call: Call, log: Log): void {
  const { request, response, requestId, startedAtMs, logFields } = call;
  onceClosed(response, () => {
    // Health checks.
    if (logFields['channelId'] === undefined && logFields['code'] === undefined) return;
    log.info('gateway.forwarded', {
      requestId,
      method: request.method,
      status: response.statusCode,
      durationMs: Math.round((performance.now() - startedAtMs) * 10) / 10,
      completed: response.writableFinished,
      ...logFields,
    });
  });
}

interface AnsweredError {
  readonly thrown: unknown;
  readonly log: Log;
  readonly baseUrl: string;
}

export function answerError(call: Call, { thrown, log, baseUrl }: AnsweredError): void {
  const { response, requestId, logFields } = call;
  if (!(thrown instanceof HttpError)) log.error('gateway.failed', { requestId, error: thrown });
  const error = thrown instanceof HttpError ? thrown : new InternalError(thrown);
  logFields['code'] = error.code;
  const refusal = errorBody(error, answeredRequestId(call));
  endWithError(response, error, { baseUrl, body: { ...refusal, error: refusalObject(refusal) } });
}

/** Returns false for all other requests. The gateway does not call Temporal, so its readiness names the database only. */
export async function answerHealth(
  { request, response }: Call,
  { path, channels, isStopping }: Pick<GatewayDeps, 'channels' | 'isStopping'> & { readonly path: string },
): Promise<boolean> {
  if (request.method !== 'GET' || (path !== '/healthz' && path !== '/readyz')) return false;
  if (path === '/healthz') return answer(response, { isGood: true, body: { status: 'ok' } });
  const database = await channels.schemaState();
  const isReady = database === 'ok' && !isStopping();
  return answer(response, { isGood: isReady, body: { status: isReady ? 'ready' : 'not_ready', database } });
}

function answer(response: Call['response'], { isGood, body }: { isGood: boolean; body: object }): true {
  response.writeHead(isGood ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
  return true;
}

export function measureCall(call: Call, meter: GatewayMeter | undefined): void {
  if (!meter) return;
  const over = meter.began();
  const { response, startedAtMs, tally } = call;
  onceClosed(response, () => {
    over();
    const code = call.logFields['code'];
    meter.ended({
      product: tally.product,
      outcome: outcomeOf(call),
      code: typeof code === 'string' ? code : undefined,
      totalMs: performance.now() - startedAtMs,
      platformMs: tally.platformMs,
    });
  });
}

const silent = new Set<unknown>(['PLATFORM_UNAVAILABLE', 'PLATFORM_OUTCOME_UNKNOWN']);

function outcomeOf({ response, logFields, tally }: Call): GatewayOutcome {
  const { code, platformStatus } = logFields;
  if (tally.isAnswerLost) return 'platform_silent';
  if (!response.writableFinished) return 'caller_gone';
  if (code === 'INTERNAL' || code === 'SERVICE_UNAVAILABLE') return 'failed';
  if (silent.has(code)) return 'platform_silent';
  if (code !== undefined) return 'refused';
  return typeof platformStatus === 'number' && platformStatus >= 400 ? 'platform_refused' : 'answered';
}

/** Runs a call in a trace of its own, if it is sampled. Ignores the caller's `traceparent`. */
export function traceCall(call: Call, traces: Traces | undefined, act: () => Promise<void>): Promise<void> {
  const { request, response, requestId, callerRequestId, logFields, tally } = call;
  const attributes = {
    'http.request.method': request.method,
    'request.id': requestId,
    'request.caller_id': callerRequestId,
  };
  const span = traces?.root('gateway.call', { kind: 'server', attributes });
  if (!traces || !span) return act();
  logFields['traceId'] = span.traceId;
  onceClosed(response, () => {
    const { channelId, path, code } = logFields;
    span.end({
      attributes: {
        'http.response.status_code': response.statusCode,
        'channel.id': textOf(channelId),
        'channel.type': tally.product,
        'platform.path': textOf(path),
      },
      error: textOf(code) ?? (response.writableFinished ? null : 'incomplete'),
    });
  });
  return traces.within(span, act);
}

function textOf(field: unknown): string | null {
  return typeof field === 'string' ? field : null;
}
