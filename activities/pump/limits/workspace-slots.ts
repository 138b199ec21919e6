/**
 * Limits the concurrent requests of a workspace. The limit is per installation: each worker process gets an equal part
 * of it.
 *
 * A destination may use any free slot while a quarter is free. After that, it gets slots only up to its equal share
 * among the workspace's destinations with claimed rows, and the last eighth is for destinations with nothing in flight.
 * So slow destinations can't take the last slots. A single destination may use all of them.
 */
export interface WorkspaceSlots {
  /** Counts a destination with claimed rows. */
  join(workspaceId: string): void;
  leave(workspaceId: string): void;
  tryTake(workspaceId: string, destinationInFlight: number): boolean;
  release(workspaceId: string, count?: number): void;
  /** Calls `onFree` once, soon after the next release in the workspace. */
  awaitFree(workspaceId: string, onFree: () => void): void;
}

export interface WorkspaceSlotOptions {
  readonly perInstallation: number;
  /** Optional. Live workers of the installation. Default: one. */
  readonly workerCount?: (() => number) | undefined;
}

interface Usage {
  inFlightCount: number;
  destinationCount: number;
  readonly waiting: Set<() => void>;
}

const CONTENDED_SHARE = 0.75;
const RESERVED_SHARE = 0.875;

export function createWorkspaceSlots({ perInstallation, workerCount = () => 1 }: WorkspaceSlotOptions): WorkspaceSlots {
  const usages = new Map<string, Usage>();

  return {
    join: (workspaceId) => void usageOf(workspaceId).destinationCount++,
    leave(workspaceId) {
      usageOf(workspaceId).destinationCount--;
      forgetIfUnused(workspaceId);
    },
    tryTake(workspaceId, destinationInFlight) {
      const usage = usageOf(workspaceId);
      const limit = Math.max(Math.ceil(perInstallation / Math.max(workerCount(), 1)), 1);
      if (usage.inFlightCount >= limit || destinationInFlight >= maxInFlight(usage, limit)) return false;
      usage.inFlightCount++;
      return true;
    },
    release(workspaceId, count = 1) {
      const usage = usageOf(workspaceId);
      usage.inFlightCount -= count;
      const waiting = [...usage.waiting];
      usage.waiting.clear();
      for (const onFree of waiting) queueMicrotask(onFree);
      forgetIfUnused(workspaceId);
    },
    awaitFree: (workspaceId, onFree) => void usageOf(workspaceId).waiting.add(onFree),
  };

  function usageOf(workspaceId: string): Usage {
    const known = usages.get(workspaceId);
    if (known) return known;
    const usage = { inFlightCount: 0, destinationCount: 0, waiting: new Set<() => void>() };
    usages.set(workspaceId, usage);
    return usage;
  }

  function forgetIfUnused(workspaceId: string): void {
    const { inFlightCount, destinationCount, waiting } = usageOf(workspaceId);
    if (inFlightCount === 0 && destinationCount === 0 && waiting.size === 0) usages.delete(workspaceId);
  }
}

/** The most that a destination may have in flight before it takes another slot. */
function maxInFlight({ inFlightCount, destinationCount }: Usage, limit: number): number {
  if (destinationCount <= 1 || inFlightCount < limit * CONTENDED_SHARE) return limit;
  return inFlightCount < limit * RESERVED_SHARE ? Math.max(Math.floor(limit / destinationCount), 1) : 1;
}
