import type { ExecutionContext } from 'ava';
import { startSink, type Sink, type SinkOptions } from '../../../simulator/sink/sink.ts';
import { until } from '../until.ts';
import type { Burst } from './publish.ts';

export interface Arrivals {
  readonly url: string;
  /** Includes repeats. */
  readonly messageIds: readonly string[];
  readonly distinct: ReadonlySet<string>;
  readonly deliveryIds: ReadonlyMap<string, ReadonlySet<string>>;
}

const MESSAGE_ID = /"id":"([a-z]+\.\d+\.\d+)"/;

export async function countArrivals(
  t: ExecutionContext<unknown>,
  options: Pick<SinkOptions, 'answerTo'> = {},
): Promise<Arrivals> {
  const messageIds: string[] = [];
  const deliveryIds = new Map<string, Set<string>>();
  const distinct = new Set<string>();
  const sink: Sink = await startSink({
    ...options,
    port: 0,
    readBodies: true,
    onRequest({ body, deliveryId }) {
      const id = MESSAGE_ID.exec(body?.toString('latin1') ?? '')?.[1] ?? 'unknown';
      messageIds.push(id);
      distinct.add(id);
      deliveryIds.set(id, (deliveryIds.get(id) ?? new Set()).add(deliveryId));
    },
  });
  t.teardown(() => sink.stop());
  return { url: `${sink.url}/hook`, messageIds, distinct, deliveryIds };
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
  { acknowledged, arrivals }: { acknowledged: readonly string[]; arrivals: Pick<Arrivals, 'messageIds' | 'distinct'> },
): Tally {
  const { messageIds, distinct } = arrivals;
  const counts = {
    acknowledged: acknowledged.length,
    delivered: distinct.size,
    repeated: messageIds.length - distinct.size,
    lost: acknowledged.filter((id) => !distinct.has(id)).length,
    disordered: disorderedCount([...distinct]),
  };
  t.log(
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  );
  return counts;
}

function disorderedCount(firstArrivals: readonly string[]): number {
  const latest = new Map<string, number>();
  let count = 0;
  for (const id of firstArrivals) {
    const separator = id.lastIndexOf('.');
    const [conversation, n] = [id.slice(0, separator), Number(id.slice(separator + 1))];
    if (n < (latest.get(conversation) ?? -1)) count++;
    else latest.set(conversation, n);
  }
  return count;
}
