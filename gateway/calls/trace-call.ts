import { onceClosed } from '../../process/once-closed.ts';
import type { Traces } from '../../process/traces/traces.ts';
import type { Call } from './call.ts';

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
