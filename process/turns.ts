/**
 * Bounds what runs at a time, of each tenant and in all. Tenants that wait take turns, in the order in which they came, so
 * that a tenant with hundreds of waiting works delays another by one. `fair-turns.ts` also bounds the credentials of an
 * organization, and prefers organizations that had no turn.
 */
export interface Turns {
  /** Begins at once, or returns false. */
  tryEnter(tenant: string): boolean;
  /** Waits for the tenant's turn. Returns false if the signal, which is asked for only then, is aborted first. */
  enter(tenant: string, endOfWait: () => AbortSignal): Promise<boolean>;
  leave(tenant: string): void;
  stats(): TurnCounts;
}

export interface TurnCounts {
  readonly runningCount: number;
  readonly waitingCount: number;
  /** What runs and waits, by tenant. */
  readonly tenants: Map<string, number>;
}

interface TurnLimits {
  readonly inAll: number;
  readonly perTenant: (tenant: string) => number;
}

export function createTurns({ inAll, perTenant }: TurnLimits): Turns {
  const running = new Map<string, number>();
  /** The first tenant is the next in turn. */
  const waiting = new Map<string, Set<() => void>>();
  let runningCount = 0;

  return {
    tryEnter,
    async enter(tenant, endOfWait) {
      if (tryEnter(tenant)) return true;
      const turn = Promise.withResolvers<boolean>();
      const queue = waiting.get(tenant) ?? new Set();
      const start = () => turn.resolve(true);
      const giveUp = () => {
        if (!queue.delete(start)) return;
        if (queue.size === 0) waiting.delete(tenant);
        turn.resolve(false);
      };
      waiting.set(tenant, queue.add(start));
      const signal = endOfWait();
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
      const hasBegun = await turn.promise;
      signal.removeEventListener('abort', giveUp);
      return hasBegun;
    },
    leave(tenant) {
      runningCount--;
      const count = (running.get(tenant) ?? 1) - 1;
      if (count > 0) running.set(tenant, count);
      else running.delete(tenant);
      startNext();
    },
    stats() {
      const tenants = new Map(running);
      for (const [tenant, { size }] of waiting) tenants.set(tenant, (tenants.get(tenant) ?? 0) + size);
      return { runningCount, waitingCount: [...waiting.values()].reduce((sum, { size }) => sum + size, 0), tenants };
    },
  };

  function tryEnter(tenant: string): boolean {
    if (waiting.has(tenant) || !hasRoom(tenant)) return false;
    begin(tenant);
    return true;
  }

  function hasRoom(tenant: string): boolean {
    return runningCount < inAll && (running.get(tenant) ?? 0) < perTenant(tenant);
  }

  function begin(tenant: string): void {
    runningCount++;
    running.set(tenant, (running.get(tenant) ?? 0) + 1);
  }

  /** One is enough: each end makes room for one. */
  function startNext(): void {
    for (const [tenant, queue] of waiting) {
      const [start] = queue;
      if (start === undefined || !hasRoom(tenant)) continue;
      queue.delete(start);
      // The tenant moves to the end of the rotation.
      waiting.delete(tenant);
      if (queue.size > 0) waiting.set(tenant, queue);
      begin(tenant);
      return start();
    }
  }
}
