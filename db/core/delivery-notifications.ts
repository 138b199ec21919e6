import pg from 'pg';
import type { Log } from '../../process/log.ts';
import { asksWhenIdle } from './unanswered.ts';

/** A lost wake-up only delays delivery until the next poll. */
export interface DeliveryNotifications {
  /** Returns a function that ends the subscription. */
  subscribe(onWake: OnWake): () => void;
  close(): Promise<void>;
}

/** Of the destination with this id, or of any destination. */
export type DestinationChange = number | 'unknown';

/** After a reconnect without shards and with `unknown`, because notifications may be lost. */
type OnWake = (shards: readonly number[], change?: DestinationChange) => void;

/** Payloads are `<shard>,<shard>…`, or `<shard>:<destination>` if a destination or its deliveries changed. */
const CHANNEL = 'deliveries';
const RECONNECT_MS = 500;

export function openDeliveryNotifications({ url, log }: { url: string; log: Log }): DeliveryNotifications {
  const subscribers = new Set<{ readonly onWake: OnWake }>();
  let client: pg.Client | undefined;
  let closed = false;
  let reconnect: NodeJS.Timeout | undefined;
  let connecting = connect();

  return {
    subscribe(onWake) {
      const subscriber = { onWake };
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
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
      const [shards = '', changed] = payload.split(':', 2);
      wake(shards.split(',').map(Number), changed === undefined ? undefined : Number(changed));
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      client = next;
      if (closed) return;
      wake([], 'unknown');
    } catch (error) {
      onLost(error instanceof Error ? error : undefined);
      await next.end().catch(() => undefined);
    }
  }

  function wake(shards: readonly number[], change?: DestinationChange): void {
    for (const { onWake } of subscribers) onWake(shards, change);
  }
}
