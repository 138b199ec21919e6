import { setTimeout as sleep } from 'node:timers/promises';
import type { ListenerPlace } from '../../db/ledger/listeners/listener-deliveries.ts';
import type { Log } from '../../process/log.ts';
import { outsideRequests } from '../requests/request-tenant.ts';

/** Long polls hold no database connections: one statement per interval checks all of them. */
export interface ListenerWaits {
  /** Resolves to true once deliveries may be available, to false on timeout or abort. */
  until(place: ListenerPlace, wait: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<boolean>;
}

/** A check that finds nothing takes less than a millisecond. */
const POLL_MS = 100;

interface Waiter {
  readonly place: ListenerPlace;
  readonly end: (hasDeliveries: boolean) => void;
}

export interface ListenerCheck {
  /** Returns the indexes of the places with deliveries. */
  readonly look: (places: readonly ListenerPlace[]) => Promise<readonly number[]>;
  readonly log: Log;
}

export function createListenerWaits({ look, log }: ListenerCheck): ListenerWaits {
  const waiters = new Set<Waiter>();
  let isChecking = false;

  return {
    until: (place, { timeoutMs, signal }) =>
      new Promise((resolve) => {
        const over = () => waiter.end(false);
        const timer = setTimeout(over, timeoutMs);
        const waiter: Waiter = {
          place,
          end(hasDeliveries) {
            clearTimeout(timer);
            signal.removeEventListener('abort', over);
            waiters.delete(waiter);
            resolve(hasDeliveries);
          },
        };
        if (signal.aborted) return over();
        signal.addEventListener('abort', over);
        waiters.add(waiter);
        if (!isChecking) outsideRequests(() => void checkRepeatedly());
      }),
  };

  async function checkRepeatedly(): Promise<void> {
    isChecking = true;
    while (waiters.size > 0) {
      await sleep(POLL_MS);
      const asking = [...waiters];
      for (const place of await lookOnce(asking)) asking[place]?.end(true);
    }
    isChecking = false;
  }

  /** The readers' next read reports database errors. */
  async function lookOnce(asking: readonly Waiter[]): Promise<readonly number[]> {
    if (asking.length === 0) return [];
    try {
      return await look(asking.map(({ place }) => place));
    } catch (error) {
      log.warn('listenerWait.pollFailed', { error });
      return [];
    }
  }
}
