import { sequencedId, type IdKey } from '../../contract/ids.ts';
import type { SignableDelivery } from '../../contract/deliveries/signable-delivery.ts';
import { traceIdOf } from '../../contract/traces/trace-parent.ts';
import type { Attempt } from '../../db/ledger/attempts.ts';
import type { Span, Traces } from '../../process/traces/traces.ts';

interface TracedDelivery extends Pick<SignableDelivery, 'id' | 'eventId' | 'eventType' | 'channelId'> {
  readonly workspaceId: string;
  readonly traceParent: string | null;
}

export interface TracedAttempt {
  /** The header `traceparent` for the receiver. */
  readonly traceParent: string;
  end(attempt: Attempt): void;
  fail(error: unknown): void;
}

/**
 * Continues the trace of a sampled event. An attempt for another event belongs to the trace of the request or workflow
 * that made it, if there is one.
 */
export type BeginAttempt = (delivery: TracedDelivery, number: number) => TracedAttempt | undefined;

export function createBeginAttempt({
  traces,
  idKey,
}: {
  readonly traces: Traces;
  readonly idKey: IdKey;
}): BeginAttempt {
  return (delivery, number) => {
    const { id, eventId, eventType, channelId, workspaceId, traceParent } = delivery;
    const active = traces.active();
    const parent = parentOf(traceParent, active);
    if (!parent) return undefined;
    const attributes = {
      'delivery.id': sequencedId(idKey, 'delivery', id),
      'event.id': sequencedId(idKey, 'event', eventId),
      'event.type': eventType,
      'channel.id': channelId,
      'workspace.id': workspaceId,
      'delivery.attempt': number,
    };
    const links = active && active !== parent ? [active] : [];
    const span = traces.child('delivery.attempt', parent, { kind: 'client', attributes, links });
    return span && tracedAttempt(span);
  };
}

interface TracedRequest extends TracedDelivery {
  readonly following?: readonly (Omit<TracedDelivery, 'channelId' | 'workspaceId'> & {
    readonly attemptCount: number;
  })[];
}

/** Begins the attempts of all deliveries in a request. It carries the trace of the first one that is sampled. */
export function beginAttempts(begin: BeginAttempt, request: TracedRequest, number: number): TracedAttempt | undefined {
  const { following } = request;
  const first = begin(request, number);
  if (!following || following.length === 0) return first;
  const others = following.map((one) => begin({ ...request, ...one }, one.attemptCount + 1));
  const all = [first, ...others].filter((one) => one !== undefined);
  return (
    all[0] && {
      traceParent: all[0].traceParent,
      end: (attempt) => all.forEach((one) => one.end(attempt)),
      fail: (error) => all.forEach((one) => one.fail(error)),
    }
  );
}

/** Prefers the active span of the same trace, under which a workflow's activity shows its attempt. */
function parentOf(traceParent: string | null, active: ReturnType<Traces['active']>) {
  if (traceParent === null || (active && traceIdOf(active.traceParent) === traceIdOf(traceParent))) return active;
  return { traceParent };
}

function tracedAttempt(span: Span): TracedAttempt {
  return {
    traceParent: span.traceParent,
    end({ outcome, status, error, startedAtMs }) {
      const attributes = {
        'delivery.outcome': outcome,
        'http.response.status_code': status,
        'request.started_at_ms': startedAtMs,
      };
      span.end({ attributes, error: outcome === 'accepted' ? null : (error ?? outcome) });
    },
    fail: (error) => span.end({ error: error instanceof Error ? error.name : 'unknown' }),
  };
}
