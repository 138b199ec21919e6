export interface LookupShares {
  /** Waits for the workspace's turn. Returns what ends it, or undefined if the signal is aborted first. */
  enter(workspaceId: string, signal: AbortSignal): Promise<(() => void) | undefined>;
}

export interface LookupSharesOptions {
  readonly max: number;
  readonly maxPerWorkspace: number;
}

interface Share {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Bounds the look-ups under way, of each workspace and in all. Workspaces that wait take turns. */
export function createLookupShares({ max, maxPerWorkspace }: LookupSharesOptions): LookupShares {
  /** Of workspaces with look-ups. The first one is the next in turn. */
  const shares = new Map<string, Share>();
  let running = 0;

  return {
    async enter(workspaceId, signal) {
      const share = shares.get(workspaceId) ?? { running: 0, waiting: new Set() };
      shares.set(workspaceId, share);
      const turn = Promise.withResolvers<boolean>();
      const begin = () => turn.resolve(true);
      const giveUp = () => {
        share.waiting.delete(begin);
        turn.resolve(false);
      };
      share.waiting.add(begin);
      advance();
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp);
      const hasBegun = await turn.promise;
      signal.removeEventListener('abort', giveUp);
      if (hasBegun) return () => end(workspaceId, share);
      forgetIfUnused(workspaceId, share);
      return undefined;
    },
  };

  function advance(): void {
    for (const [workspaceId, share] of shares) {
      if (running === max) return;
      if (share.running === maxPerWorkspace) continue;
      const [begin] = share.waiting;
      if (!begin) continue;
      share.waiting.delete(begin);
      share.running += 1;
      running += 1;
      // Behind the others. The loop meets it again and ends when no share can advance.
      shares.delete(workspaceId);
      shares.set(workspaceId, share);
      begin();
    }
  }

  function end(workspaceId: string, share: Share): void {
    share.running -= 1;
    running -= 1;
    forgetIfUnused(workspaceId, share);
    advance();
  }

  function forgetIfUnused(workspaceId: string, share: Share): void {
    const isUnused = share.running === 0 && share.waiting.size === 0;
    if (isUnused && shares.get(workspaceId) === share) shares.delete(workspaceId);
  }
}
