import knex, { type Knex } from 'knex';

/** Connections in use and statements in the queue. */
export interface TurnStats {
  readonly capacity: number;
  readonly usedCount: number;
  readonly waitingCount: number;
  /** Connections in use and statements that wait, by tenant. */
  readonly tenants: ReadonlyMap<string, number>;
}

export interface TurnOptions {
  /** Connections of the pool. */
  readonly capacity: number;
  /** Optional. Default: 10 s, as long as a pool waits for a connection. */
  readonly waitMs?: number;
  /** Returns whose statement runs; undefined for the service's own. */
  readonly tenant: () => string | undefined;
}

interface Waiter {
  readonly enter: () => void;
}

const OWN = '';
const WAIT_MS = 10_000;
const TIMED_OUT = 'No connection became free in time. The pool is full.';

/**
 * A pool serves statements in order of arrival, so one tenant that sends 600 requests at once would make all others wait
 * for them. Turns precede the pool: while it is full, tenants take them in rotation, and one connection is left for
 * another tenant than the one that holds all others.
 */
export function takeTurns({ client }: Knex, { capacity, waitMs = WAIT_MS, tenant }: TurnOptions): () => TurnStats {
  const waiting = new Map<string, Waiter[]>();
  const held = new Map<string, number>();
  const turns = new WeakMap<object, string>();
  const mostHeld = Math.max(1, capacity - 1);
  const acquire = client.acquireConnection.bind(client) as () => Promise<object>;
  const release = client.releaseConnection.bind(client) as (connection: object) => Promise<void>;
  let usedCount = 0;

  client.acquireConnection = async (): Promise<object> => {
    const key = tenant() ?? OWN;
    if (waiting.has(key) || !mayEnter(key)) await turn(key);
    else enter(key);
    try {
      const connection = await acquire();
      turns.set(connection, key);
      return connection;
    } catch (error) {
      leave(key);
      throw error;
    }
  };
  client.releaseConnection = async (connection: object): Promise<void> => {
    await release(connection);
    const key = turns.get(connection);
    if (key === undefined) return;
    turns.delete(connection);
    leave(key);
  };

  function mayEnter(key: string): boolean {
    return usedCount < capacity && (key === OWN || (held.get(key) ?? 0) < mostHeld);
  }

  function enter(key: string): void {
    usedCount++;
    held.set(key, (held.get(key) ?? 0) + 1);
  }

  function leave(key: string): void {
    usedCount--;
    const count = (held.get(key) ?? 1) - 1;
    if (count > 0) held.set(key, count);
    else held.delete(key);
    for (const [next, [first, ...others]] of waiting) {
      if (first === undefined || !mayEnter(next)) continue;
      // The tenant moves to the end of the rotation.
      waiting.delete(next);
      if (others.length > 0) waiting.set(next, others);
      enter(next);
      return first.enter();
    }
  }

  function turn(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        const others = (waiting.get(key) ?? []).filter((other) => other !== waiter);
        if (others.length > 0) waiting.set(key, others);
        else waiting.delete(key);
        reject(new knex.KnexTimeoutError(TIMED_OUT));
      }, waitMs);
      waiting.set(key, [...(waiting.get(key) ?? []), waiter]);
    });
  }

  return () => {
    const tenants = new Map(held);
    for (const [key, { length }] of waiting) tenants.set(key, (tenants.get(key) ?? 0) + length);
    tenants.delete(OWN);
    const waitingCount = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
    return { capacity, usedCount, waitingCount, tenants };
  };
}
