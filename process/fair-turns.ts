import { TooManyRequests } from './http-errors.ts';

/**
 * Lets few works run at a time; the others wait. A free place goes to the organization whose last turn is longest ago,
 * so one with a hundred waiting works delays another by a turn at most.
 */
export interface FairTurns {
  /** Throws TooManyRequests if the wait is aborted before the turn. */
  run<Result>(owner: TurnOwner, turn: Turn<Result>): Promise<Result>;
  runningCount(): number;
  waitingCount(): number;
}

export interface TurnOwner {
  readonly credentialId: string;
  /** Undefined for staff, who count as one. A text for callers whose organization is not known. */
  readonly organizationId: number | string | undefined;
}

interface Turn<Result> {
  /** Called only if the work has to wait. */
  readonly endOfWait: () => AbortSignal;
  readonly work: () => Promise<Result>;
}

export interface TurnNumbers {
  readonly perCredential: number;
  readonly perOrganization: number;
  readonly inAll: number;
}

interface Waiting {
  readonly arrival: number;
  readonly begin: () => void;
}

interface Credential {
  runningCount: number;
  /** In order of arrival. */
  readonly waiting: Set<Waiting>;
}

/** Kept while it runs or waits. */
interface Organization {
  runningCount: number;
  lastTurn: number;
  readonly credentials: Map<string, Credential>;
}

const RETRY_SECONDS = 5;

export function createFairTurns({ perCredential, perOrganization, inAll }: TurnNumbers): FairTurns {
  const organizations = new Map<TurnOwner['organizationId'], Organization>();
  let runningCount = 0;
  let waitingCount = 0;
  let arrivalCount = 0;
  let turnCount = 0;

  return {
    async run(owner, { endOfWait, work }) {
      const place = enter(owner);
      if (isFree(place)) begin(place);
      else await turnOf(owner, endOfWait());
      try {
        return await work();
      } finally {
        end(owner);
      }
    },
    runningCount: () => runningCount,
    waitingCount: () => waitingCount,
  };

  function enter({ organizationId, credentialId }: TurnOwner): Place {
    const organization = organizations.get(organizationId) ?? { runningCount: 0, lastTurn: 0, credentials: new Map() };
    const credential = organization.credentials.get(credentialId) ?? { runningCount: 0, waiting: new Set() };
    organization.credentials.set(credentialId, credential);
    organizations.set(organizationId, organization);
    return { organization, credential };
  }

  /** Each end starts what it made room for, so no work that waits could take this place. */
  function isFree({ organization, credential }: Place): boolean {
    return (
      runningCount < inAll && organization.runningCount < perOrganization && credential.runningCount < perCredential
    );
  }

  function begin({ organization, credential }: Place): void {
    runningCount++;
    organization.runningCount++;
    credential.runningCount++;
    organization.lastTurn = ++turnCount;
  }

  async function turnOf(owner: TurnOwner, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { credential } = enter(owner);
    const mine: Waiting = { arrival: ++arrivalCount, begin: resolve };
    const leave = (): void => {
      if (!credential.waiting.delete(mine)) return;
      waitingCount--;
      forget(owner);
      reject(new TooManyRequests(RETRY_SECONDS));
    };
    credential.waiting.add(mine);
    waitingCount++;
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    await promise;
    signal.removeEventListener('abort', leave);
  }

  function end(owner: TurnOwner): void {
    const { organization, credential } = enter(owner);
    runningCount--;
    organization.runningCount--;
    credential.runningCount--;
    forget(owner);
    startNext();
  }

  function startNext(): void {
    if (waitingCount === 0 || runningCount >= inAll) return;
    const next = longestAgo();
    if (!next) return;
    const { waiting } = next.credential;
    const [first] = waiting;
    waiting.delete(first!);
    waitingCount--;
    begin(next);
    first!.begin();
  }

  function longestAgo(): Place | undefined {
    let next: Place | undefined;
    for (const organization of organizations.values()) {
      if (next && organization.lastTurn >= next.organization.lastTurn) continue;
      const credential = organization.runningCount < perOrganization && firstArrived(organization);
      if (credential) next = { organization, credential };
    }
    return next;
  }

  function firstArrived({ credentials }: Organization): Credential | undefined {
    let first: Credential | undefined;
    let arrival = Number.POSITIVE_INFINITY;
    for (const credential of credentials.values()) {
      const [waiting] = credential.waiting;
      if (!waiting || waiting.arrival >= arrival || credential.runningCount >= perCredential) continue;
      first = credential;
      ({ arrival } = waiting);
    }
    return first;
  }

  function forget({ organizationId, credentialId }: TurnOwner): void {
    const organization = organizations.get(organizationId);
    const credential = organization?.credentials.get(credentialId);
    if (!organization || !credential || credential.runningCount > 0 || credential.waiting.size > 0) return;
    organization.credentials.delete(credentialId);
    if (organization.credentials.size === 0) organizations.delete(organizationId);
  }
}

interface Place {
  readonly organization: Organization;
  readonly credential: Credential;
}
