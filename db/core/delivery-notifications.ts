import pg from 'pg';
import type { Log } from '../../process/log.ts';
import { asksWhenIdle } from './unanswered.ts';

/** A lost wake-up only delays delivery until the next poll. */
export interface DeliveryNotifications {
  /** Also calls back with `unknown` after a reconnect, because notifications may be lost. */
  subscribe(shard: number, onWake: OnWake): () => void;
  close(): Promise<void>;
}

/** Of the destination with this id, or of any destination. */
export type DestinationChange = number | 'unknown';

type OnWake = (change?: DestinationChange) => void;

/** Payloads are `<shard>`, or `<shard>:<destination>` if a destination or its deliveries changed. */
const CHANNEL = 'deliveries';
const RECONNECT_MS = 500;

export function openDeliveryNotifications({ url, log }: { url: string; log: Log }): DeliveryNotifications {
  const subscribers = new Map<number, Set<OnWake>>();
  let client: pg.Client | undefined;
  let closed = false;
  let reconnect: NodeJS.Timeout | undefined;
  let connecting = connect();

  return {
    subscribe(shard, onWake) {
      const callbacks = subscribers.get(shard) ?? new Set();
      subscribers.set(shard, callbacks.add(onWake));
      return () => callbacks.delete(onWake);
    },
    async close() {
      closed = true;
      clearTimeout(reconnect);
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'service-wake',
      ...asksWhenIdle,
      connectionTimeoutMillis: 3_000,
    });
    let lost = false;
    const onLost = (error?: Error): void => {
      if (lost || closed) return;
      lost = true;
      log.warn('wake.lost', { error });
      reconnect = setTimeout(() => (connecting = connect()), RECONNECT_MS);
    };
    next.on('error', onLost);
    next.on('end', () => onLost());
    next.on('notification', ({ payload = '' }) => {
      const [shard, changed] = payload.split(':', 2);
      wake(Number(shard), changed === undefined ? undefined : Number(changed));
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      client = next;
      if (closed) return;
      for (const shard of subscribers.keys()) wake(shard, 'unknown');
    } catch (error) {
      onLost(error instanceof Error ? error : undefined);
      await next.end().catch(() => undefined);
    }
  }

  function wake(shard: number, change?: DestinationChange): void {
    for (const onWake of subscribers.get(shard) ?? []) onWake(change);
  }
}
