import type { ErrorBody } from '../../contract/errors.ts';
import type { Log } from '../../process/log.ts';
import type { Call } from './call.ts';
import { Refusal } from './refusal.ts';

/** One wide line a call, when its answer is complete or the caller has gone; without queries, bodies and credentials. */
export function logCall(call: Call, log: Log): void {
  const { request, response, requestId, startedAtMs, logFields } = call;
  response.once('close', () => {
    // Health checks come every second and tell nothing.
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

/** Tells the caller why a call was not sent on, or not answered; what nobody foresaw becomes INTERNAL. */
export function answerRefusal(call: Call, { error, log }: { readonly error: unknown; readonly log: Log }): void {
  const { response, requestId, logFields } = call;
  if (!(error instanceof Refusal)) log.error('gateway.failed', { requestId, error });
  const refusal = error instanceof Refusal ? error : unforeseen();
  const { code, statusCode, message, headers } = refusal;
  logFields['code'] = code;
  if (response.destroyed) return;
  if (response.headersSent) return void response.destroy();
  const body = JSON.stringify({ statusCode, code, message, requestId } satisfies ErrorBody);
  response.writeHead(statusCode, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

function unforeseen(): Refusal {
  return new Refusal('INTERNAL', 'Something went wrong on our side. Quote the request id to support.');
}
