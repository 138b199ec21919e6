import { TooManyRequests } from './http-errors.ts';

/**
 * Lets few works run at a time; the others wait. A free place goes to the organization whose last turn is longest ago,
 * so one with a hundred waiting works delays another by a turn at most.
 */
export interface FairTurns {
  /** Throws TooManyRequests if the signal aborts before the turn. */
  run<Result>(owner: TurnOwner, turn: Turn<Result>): Promise<Result>;
  runningCount(): number;
  waitingCount(): number;
}

export interface TurnOwner {
  readonly credentialId: string;
  /** Undefined for staff, who count as one. */
  readonly organizationId: number | undefined;
}

interface Turn<Result> {
  readonly signal: AbortSignal;
  readonly work: () => Promise<Result>;
}

export interface TurnNumbers {
  readonly perCredential: number;
  readonly perOrganization: number;
  readonly inAll: number;
}

interface Waiting {
  readonly owner: TurnOwner;
  readonly begin: () => void;
}

const RETRY_SECONDS = 5;

export function createFairTurns({ perCredential, perOrganization, inAll }: TurnNumbers): FairTurns {
  const running: TurnOwner[] = [];
  const waiting: Waiting[] = [];
  /** Of organizations that run or wait. */
  const lastTurns = new Map<number | undefined, number>();
  let turnCount = 0;

  return {
    async run(owner, { signal, work }) {
      await turnOf(owner, signal);
      try {
        return await work();
      } finally {
        remove(running, owner);
        startNext();
        forget(owner);
      }
    },
    runningCount: () => running.length,
    waitingCount: () => waiting.length,
  };

  async function turnOf(owner: TurnOwner, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new TooManyRequests(RETRY_SECONDS);
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const mine = { owner, begin };
    const leave = (): void => {
      remove(waiting, mine);
      forget(owner);
      reject(new TooManyRequests(RETRY_SECONDS));
    };
    waiting.push(mine);
    signal.addEventListener('abort', leave, { once: true });
    startNext();
    await promise;
    signal.removeEventListener('abort', leave);
  }

  function startNext(): void {
    if (running.length >= inAll) return;
    const [next] = waiting
      .filter(({ owner }) => mayRun(owner))
      .toSorted((one, other) => lastTurnOf(one) - lastTurnOf(other)); // in order of arrival if equal
    if (!next) return;
    remove(waiting, next);
    running.push(next.owner);
    lastTurns.set(next.owner.organizationId, ++turnCount);
    next.begin();
    startNext();
  }

  function mayRun({ credentialId, organizationId }: TurnOwner): boolean {
    return (
      running.filter((one) => one.credentialId === credentialId).length < perCredential &&
      running.filter((one) => one.organizationId === organizationId).length < perOrganization
    );
  }

  function lastTurnOf({ owner }: Waiting): number {
    return lastTurns.get(owner.organizationId) ?? 0;
  }

  function forget({ organizationId }: TurnOwner): void {
    const isOf = (owner: TurnOwner): boolean => owner.organizationId === organizationId;
    if (!running.some(isOf) && !waiting.some(({ owner }) => isOf(owner))) lastTurns.delete(organizationId);
  }
}

function remove<Item>(items: Item[], item: Item): void {
  const index = items.indexOf(item);
  if (index >= 0) items.splice(index, 1);
}
