import { hash } from 'node:crypto';
import { batchIdOf } from '../../contract/deliveries/batch.ts';
import { deliveryWorkflowId, type IdKey, sequencedId } from '../../contract/ids.ts';
import { traceIdOf } from '../../contract/traces/trace-parent.ts';
import type { DeliveryBody, DeliverySummaryBody } from '../../openapi/deliveries/schema.ts';
import type { StoredBody } from '../../db/core/body-box.ts';
import type {
  AttemptRecord,
  CancellationRecord,
  CircuitAhead,
  DeliveryRecord,
  DeliveryTarget,
} from '../../db/deliveries/records.ts';
import type { OpenBodies } from './open-bodies.ts';
import type { Histogram } from '../../db/deliveries/histogram.ts';
import type { HistogramBody, HistogramQuery } from '../../openapi/deliveries/list-schema.ts';
import { InvalidRequest } from '../requests/errors.ts';

export function presentDelivery(delivery: DeliveryRecord, idKey: IdKey): DeliverySummaryBody {
  const deliveryId = sequencedId(idKey, 'delivery', delivery.id);
  const isRetried = delivery.status === 'retrying' || delivery.attemptCount > 1;
  const hasWorkflow = delivery.destination?.type !== 'listener' && isRetried && !delivery.pumpRetries;
  return {
    deliveryId,
    eventId: sequencedId(idKey, 'event', delivery.eventId),
    channelId: delivery.channelPublicId,
    channelName: delivery.channelName,
    eventType: delivery.eventType,
    destination: delivery.destination && presentTarget(delivery.destination),
    status: delivery.status,
    sender: delivery.sender,
    platformMessageId: delivery.platformMessageId,
    receivedAt: delivery.receivedAt.toISOString(),
    createdAt: delivery.createdAt.toISOString(),
    nextAttemptAt: nextAttemptAtOf(delivery)?.toISOString() ?? null,
    waitsForCircuit: delivery.circuit && presentCircuit(delivery.circuit),
    skipReason: delivery.skipReason,
    attemptCount: delivery.attemptCount,
    cancellation: delivery.cancellation && presentCancellation(delivery.cancellation),
    workflowId: hasWorkflow ? deliveryWorkflowId(deliveryId) : null,
    replayOf: delivery.replayOfId === null ? null : sequencedId(idKey, 'delivery', delivery.replayOfId),
    replayId: delivery.replayPublicId,
    traceId: traceIdOf(delivery.traceParent),
    erasedAt: delivery.erasedAt?.toISOString() ?? null,
  };
}

function presentCancellation({ reason, at, actorType, actorId }: CancellationRecord) {
  const by = actorType !== undefined && actorId !== undefined ? { type: actorType, id: actorId, name: null } : null;
  return { reason, at: new Date(at).toISOString(), by };
}

/** An open circuit allows no attempt before its probe. */
function nextAttemptAtOf({ nextAttemptAt, circuit }: DeliveryRecord): Date | null {
  if (!circuit) return nextAttemptAt;
  return nextAttemptAt && nextAttemptAt > circuit.probeAt ? nextAttemptAt : circuit.probeAt;
}

function presentCircuit({ reason, openedAt, probeAt }: CircuitAhead) {
  return { reason, openedAt: openedAt.toISOString(), nextProbeAt: probeAt.toISOString() };
}

export interface WholeDelivery {
  readonly idKey: IdKey;
  readonly payload: StoredBody;
  readonly open: OpenBodies;
  readonly attempts: readonly AttemptRecord[];
}

export function presentWholeDelivery(
  delivery: DeliveryRecord,
  { idKey, payload, open, attempts }: WholeDelivery,
): DeliveryBody {
  return {
    ...presentDelivery(delivery, idKey),
    payload: open.payload(payload).toString('utf8'),
    attempts: attempts.map((attempt) => presentAttempt(attempt, { open, idKey })),
  };
}

export function presentAttempt(
  attempt: AttemptRecord,
  { open, idKey }: Pick<WholeDelivery, 'open' | 'idKey'>,
): DeliveryBody['attempts'][number] {
  return {
    number: attempt.number,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    outcome: attempt.outcome,
    status: attempt.status,
    responseHeaders: { ...attempt.responseHeaders },
    responseBody: (attempt.responseBody && open.attempt(attempt.responseBody)?.toString('utf8')) ?? null,
    error: attempt.error,
    url: attempt.url,
    batch: attempt.batch && presentBatch(attempt.batch, idKey),
  };
}

function presentBatch(batch: readonly number[], idKey: IdKey) {
  const deliveryIds = batch.map((number) => sequencedId(idKey, 'delivery', number));
  return { id: batchIdOf(deliveryIds, (text) => hash('sha256', text, 'hex')), deliveryIds };
}

function presentTarget({ type, url, label, subscriptionPublicId, listenerPublicId }: DeliveryTarget) {
  return { type, url, label, subscriptionId: subscriptionPublicId, listenerId: listenerPublicId };
}

const DEFAULT_BUCKETS = 60;
const EMPTY = { delivered: 0, failed: 0, waiting: 0, notSent: 0 } as const;

interface BucketSpan {
  readonly since: Date;
  readonly until: Date;
  readonly bucketMs: number;
  readonly bucketCount: number;
}

/** Buckets have whole milliseconds, so the last one may end after `until`. */
export function bucketSpanOf(query: Pick<HistogramQuery, 'since' | 'until' | 'buckets'>, nowMs: number): BucketSpan {
  const since = new Date(query.since);
  const until = query.until === undefined ? new Date(nowMs) : new Date(query.until);
  const spanMs = until.getTime() - since.getTime();
  if (spanMs <= 0) throw new InvalidRequest('query.since: must be before `until`.');
  const bucketMs = Math.ceil(spanMs / (query.buckets ?? DEFAULT_BUCKETS));
  return { since, until, bucketMs, bucketCount: Math.ceil(spanMs / bucketMs) };
}

export function presentHistogram(span: BucketSpan, { buckets, isComplete }: Histogram): HistogramBody {
  const counted = new Map(buckets.map(({ bucket, ...counts }) => [bucket, counts]));
  return {
    since: span.since.toISOString(),
    until: span.until.toISOString(),
    bucketMs: span.bucketMs,
    isComplete,
    buckets: Array.from({ length: span.bucketCount }, (_, index) => ({
      at: new Date(span.since.getTime() + index * span.bucketMs).toISOString(),
      ...(counted.get(index) ?? EMPTY),
    })),
  };
}
