import { pathPattern } from '../../contract/traces/path-pattern.ts';
import type { Traces } from '../../process/traces/traces.ts';
import type { OutboundLog } from './outbound-calls.ts';

/** Adds a span for each call to the trace in which it was made. The platform gets no `traceparent`. */
export function traceOutboundCalls(outbound: OutboundLog, traces: Traces): OutboundLog {
  return {
    ...outbound,
    record(call) {
      const parent = traces.active();
      if (parent) {
        const { method, path, operation, via, status, error, platformRequestId, requestId, durationMs } = call;
        const startedAtMs = call.startedAt.getTime();
        const attributes = {
          'http.request.method': method,
          'http.response.status_code': status,
          'platform.path': pathPattern(path),
          'platform.operation': operation,
          'platform.via': via,
          'platform.request_id': platformRequestId,
          'request.id': requestId,
        };
        const span = traces.child('platform.call', parent, { kind: 'client', attributes, startedAtMs });
        span?.end({ error, endedAtMs: startedAtMs + durationMs });
      }
      outbound.record(call);
    },
  };
}
