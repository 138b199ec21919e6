import { helpLink } from '../../contract/guides.ts';
import { refusalObject } from '../../platform/forwarding/refusal-object.ts';
import { errorBody, HttpError, InternalError } from '../../process/http-errors.ts';
import { answeredRequestId } from '../../process/request-id.ts';
import type { Log } from '../../process/log.ts';
import { onceClosed } from '../../process/once-closed.ts';
import type { Call } from './call.ts';

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
  if (response.destroyed) return;
  if (response.headersSent) return void response.destroy();
  const refusal = errorBody(error, answeredRequestId(call));
  const body = JSON.stringify({ ...refusal, error: refusalObject(refusal) });
  response.writeHead(error.statusCode, {
    ...error.headers,
    link: helpLink(baseUrl, error.code),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
