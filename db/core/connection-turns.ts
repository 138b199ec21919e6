import knex, { type Knex } from 'knex';
import { createTurns, type TurnOwner } from '../../process/turns.ts';

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

const OWN = '';
const WAIT_MS = 10_000;
const TIMED_OUT = 'No connection became free in time. The pool is full.';

/**
 * A pool serves statements in order of arrival, so one tenant that sends 600 requests at once would make all others wait
 * for them. Turns precede the pool: while it is full, tenants take them in rotation, and one connection is left for
 * another tenant than the one that holds all others.
 */
export function takeTurns({ client }: Knex, { capacity, waitMs = WAIT_MS, tenant }: TurnOptions): () => TurnStats {
  const mostHeld = Math.max(1, capacity - 1);
  const turns = createTurns({ inAll: capacity, perTenant: (key) => (key === OWN ? capacity : mostHeld) });
  const ownerOf = new WeakMap<object, TurnOwner>();
  const acquire = client.acquireConnection.bind(client) as () => Promise<object>;
  const release = client.releaseConnection.bind(client) as (connection: object) => Promise<void>;

  client.acquireConnection = async (): Promise<object> => {
    const owner = { tenant: tenant() ?? OWN };
    if (!turns.tryEnter(owner) && !(await turns.enter(owner, () => AbortSignal.timeout(waitMs))))
      throw new knex.KnexTimeoutError(TIMED_OUT);
    try {
      const connection = await acquire();
      ownerOf.set(connection, owner);
      return connection;
    } catch (error) {
      turns.leave(owner);
      throw error;
    }
  };
  client.releaseConnection = async (connection: object): Promise<void> => {
    await release(connection);
    const owner = ownerOf.get(connection);
    if (!owner) return;
    ownerOf.delete(connection);
    turns.leave(owner);
  };

  return () => {
    const { runningCount, waitingCount, tenants } = turns.stats();
    tenants.delete(OWN);
    return { capacity, usedCount: runningCount, waitingCount, tenants };
  };
}
