import type { ExecutionContext } from 'ava';
import { startSink, type SinkOptions } from '../../../simulator/sink.ts';
import { until } from '../until.ts';
import { ArrivalRecord, messageIdOf } from './arrival-record.ts';
import { countLostLeases } from './lost-leases.ts';
import type { Burst } from './publish.ts';
import { patienceMs } from './scale.ts';
import type { System } from './system.ts';

export interface Arrivals {
  readonly url: string;
  /** The number of events of each request. */
  readonly sizes: readonly number[];
  /** Includes repeats. */
  readonly messageIds: readonly string[];
  readonly distinct: Pick<ReadonlyMap<string, number>, 'has' | 'size'>;
  readonly record: ArrivalRecord;
  readonly deliveryIds: ReadonlyMap<string, ReadonlySet<string>>;
}

export async function countArrivals(
  t: ExecutionContext<unknown>,
  { isGathered = false, ...options }: Pick<SinkOptions, 'answerTo'> & { readonly isGathered?: boolean } = {},
): Promise<Arrivals> {
  const messageIds: string[] = [];
  const sizes: number[] = [];
  const deliveryIds = new Map<string, Set<string>>();
  const record = new ArrivalRecord();
  const sink = await startSink({
    ...options,
    port: 0,
    onRequest({ body, deliveryId }) {
      const text = body?.toString('latin1') ?? '';
      const events = isGathered ? gatheredEvents(text) : [{ deliveryId, text }];
      sizes.push(events.length);
      for (const event of events) {
        const id = messageIdOf(event.text) ?? 'unknown';
        messageIds.push(id);
        record.add(id, 0);
        deliveryIds.set(id, (deliveryIds.get(id) ?? new Set()).add(event.deliveryId));
      }
    },
  });
  t.teardown(() => sink.stop());
  return { url: `${sink.url}/hook`, sizes, messageIds, distinct: record.countById, deliveryIds, record };
}

function gatheredEvents(text: string): { deliveryId: string; text: string }[] {
  const items: { deliveryId: string; event: unknown }[] = JSON.parse(text);
  return items.map(({ deliveryId, event }) => ({ deliveryId, text: JSON.stringify(event) }));
}

export async function untilArrived(
  { distinct }: Pick<Arrivals, 'distinct'>,
  { messageIds, timeoutMs }: { readonly messageIds: readonly string[]; readonly timeoutMs: number },
): Promise<void> {
  const missing = (): string[] => messageIds.filter((id) => !distinct.has(id));
  await until(() => distinct.size >= messageIds.length && missing().length === 0, {
    for: 'The last acknowledged event',
    timeoutMs,
    detail: () => ({ acknowledged: messageIds.length, arrived: distinct.size, missing: missing().slice(0, 10) }),
  });
}

/** Not after the end of the burst, which a busy worker lags behind. */
export async function untilMiddle(
  { distinct }: Pick<Arrivals, 'distinct'>,
  { burst, count }: { readonly burst: Pick<Burst, 'acknowledged'>; readonly count: number },
): Promise<void> {
  const isMiddle = (): boolean => distinct.size >= count / 3 || burst.acknowledged.length >= count / 2;
  await until(isMiddle, { for: 'The middle of the burst' });
}

export interface Tally {
  readonly acknowledged: number;
  readonly delivered: number;
  readonly repeated: number;
  readonly lost: number;
  /** First arrivals after a later message of their conversation. */
  readonly disordered: number;
}

export function tally(
  t: ExecutionContext<unknown>,
  { acknowledged, arrivals }: { acknowledged: readonly string[]; arrivals: Pick<Arrivals, 'record'> },
): Tally {
  const { countById, disorderedIds, repeatedCount } = arrivals.record;
  const counts = {
    acknowledged: acknowledged.length,
    delivered: countById.size,
    repeated: repeatedCount,
    lost: acknowledged.filter((id) => !countById.has(id)).length,
    disordered: disorderedIds.length,
  };
  t.log(
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  );
  return counts;
}

interface Sent extends Pick<System, 'lines'> {
  readonly acknowledged: readonly string[];
  readonly arrivals: Pick<Arrivals, 'distinct' | 'record'>;
  /** Optional. Default: what the number of events needs on a busy machine. */
  readonly timeoutMs?: number;
}

/** Waits until all that was acknowledged has arrived, in order and, unless a worker lost a lease, once. */
export async function arriveOnce(
  t: ExecutionContext<unknown>,
  { acknowledged, arrivals, ...sent }: Sent,
): Promise<void> {
  const { lines, timeoutMs = patienceMs(acknowledged.length) } = sent;
  await untilArrived(arrivals, { messageIds: acknowledged, timeoutMs });
  const counts = tally(t, { acknowledged, arrivals });
  t.like(counts, { lost: 0, delivered: acknowledged.length, disordered: 0 });
  if (countLostLeases({ lines }) === 0) t.is(counts.repeated, 0);
}
