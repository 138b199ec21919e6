import { setTimeout as sleep } from 'node:timers/promises';
import type { ListenerPlace } from '../../db/ledger/listeners/listener-deliveries.ts';
import type { Log } from '../../process/log.ts';
import type { SlotNumbers } from '../requests/connection-slots.ts';

/**
 * Readers that wait for something to read. None of them holds a connection to the database: one statement every moment
 * looks for all of them, however many they are, and nothing asks while nobody waits.
 */
export interface ListenerWaits {
  /** True once there may be something to read; false when the time is over or the signal aborts. */
  until(place: ListenerPlace, wait: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<boolean>;
}

/** A person runs some programs behind one key, each with one reader; a look for a thousand takes some milliseconds. */
export const readerSlots: SlotNumbers = { perCredential: 20, perOrganization: 100, inAll: 1_000 };

/** Half of it is what a delivery waits for on average; a look that finds nothing costs less than a millisecond. */
const POLL_MS = 100;

interface Waiter {
  readonly place: ListenerPlace;
  readonly end: (isThere: boolean) => void;
}

export interface ListenerLook {
  /** The places in this list that have something to read. */
  readonly look: (places: readonly ListenerPlace[]) => Promise<readonly number[]>;
  readonly log: Log;
}

export function createListenerWaits({ look, log }: ListenerLook): ListenerWaits {
  const waiters = new Set<Waiter>();
  let isLooking = false;

  return {
    until: (place, { timeoutMs, signal }) =>
      new Promise((resolve) => {
        const over = () => waiter.end(false);
        const timer = setTimeout(over, timeoutMs);
        const waiter: Waiter = {
          place,
          end(isThere) {
            clearTimeout(timer);
            signal.removeEventListener('abort', over);
            waiters.delete(waiter);
            resolve(isThere);
          },
        };
        if (signal.aborted) return over();
        signal.addEventListener('abort', over);
        waiters.add(waiter);
        if (!isLooking) void lookOn();
      }),
  };

  async function lookOn(): Promise<void> {
    isLooking = true;
    while (waiters.size > 0) {
      await sleep(POLL_MS);
      const asking = [...waiters];
      for (const place of await lookOnce(asking)) asking[place]?.end(true);
    }
    isLooking = false;
  }

  /** While the database is away they wait on; their next read says what is wrong. */
  async function lookOnce(asking: readonly Waiter[]): Promise<readonly number[]> {
    if (asking.length === 0) return [];
    try {
      return await look(asking.map(({ place }) => place));
    } catch (error) {
      log.warn('listenerWait.missed', { error });
      return [];
    }
  }
}
