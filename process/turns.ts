import { TooManyRequests } from './http-errors.ts';

/**
 * Bounds what runs at a time: of each member of a tenant, of each tenant and in all. Tenants that wait take turns, so that
 * one with hundreds of waiting works delays another by one.
 */
export interface Turns<Tenant = string> {
  /** Begins at once, or returns false. */
  tryEnter(owner: TurnOwner<Tenant>): boolean;
  /** Waits for a turn. Returns false if the signal, which is asked for only then, is aborted first. */
  enter(owner: TurnOwner<Tenant>, endOfWait: () => AbortSignal): Promise<boolean>;
  leave(owner: TurnOwner<Tenant>): void;
  /** Throws TooManyRequests if the wait is aborted before the turn. */
  run<Result>(owner: TurnOwner<Tenant>, turn: Turn<Result>): Promise<Result>;
  stats(): TurnCounts<Tenant>;
}

export interface TurnOwner<Tenant = string> {
  readonly tenant: Tenant;
  /** Optional. A part of the tenant with a limit of its own, such as a credential. */
  readonly member?: string;
}

interface Turn<Result> {
  /** Called only if the work has to wait. */
  readonly endOfWait: () => AbortSignal;
  readonly work: () => Promise<Result>;
}

interface TurnCounts<Tenant> {
  readonly runningCount: number;
  readonly waitingCount: number;
  /** What runs and waits, by tenant. */
  readonly tenants: Map<Tenant, number>;
}

interface TurnLimits<Tenant> {
  readonly inAll: number;
  readonly perTenant: (tenant: Tenant) => number;
  /** Optional. Default: the tenant's limit. */
  readonly perMember?: number;
}

interface Waiting {
  readonly arrival: number;
  readonly start: () => void;
}

interface Member {
  runningCount: number;
  /** In order of arrival. */
  readonly waiting: Set<Waiting>;
}

interface Place {
  runningCount: number;
  readonly members: Map<string, Member>;
}

const WHOLE_TENANT = '';
const RETRY_SECONDS = 5;

export function createTurns<Tenant = string>(limits: TurnLimits<Tenant>): Turns<Tenant> {
  const { inAll, perTenant, perMember = Infinity } = limits;
  /** Those that run or wait. The first one that waits is the next in turn. */
  const places = new Map<Tenant, Place>();
  let runningCount = 0;
  let waitingCount = 0;
  let arrivalCount = 0;

  return {
    tryEnter,
    enter,
    leave,
    async run(owner, { endOfWait, work }) {
      if (!tryEnter(owner) && !(await enter(owner, endOfWait))) throw new TooManyRequests(RETRY_SECONDS);
      try {
        return await work();
      } finally {
        leave(owner);
      }
    },
    stats: () => ({
      runningCount,
      waitingCount,
      tenants: new Map([...places].map(([key, place]) => [key, sum(place)])),
    }),
  };

  /** Each end starts what it made room for, so no work that waits could take this place. */
  function tryEnter({ tenant, member = WHOLE_TENANT }: TurnOwner<Tenant>): boolean {
    const place = places.get(tenant);
    if (runningCount >= inAll || (place?.runningCount ?? 0) >= perTenant(tenant)) return false;
    if ((place?.members.get(member)?.runningCount ?? 0) >= perMember) return false;
    begin(...entered(tenant, member));
    return true;
  }

  async function enter(owner: TurnOwner<Tenant>, endOfWait: () => AbortSignal): Promise<boolean> {
    if (tryEnter(owner)) return true;
    const { tenant, member = WHOLE_TENANT } = owner;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const [place, { waiting }] = entered(tenant, member);
    if (!isWaiting(place)) moveToEnd(tenant, place);
    const mine: Waiting = { arrival: ++arrivalCount, start: () => resolve(true) };
    const giveUp = (): void => {
      if (!waiting.delete(mine)) return;
      waitingCount--;
      forget(tenant, member);
      resolve(false);
    };
    waiting.add(mine);
    waitingCount++;
    const signal = endOfWait();
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
    const hasBegun = await promise;
    signal.removeEventListener('abort', giveUp);
    return hasBegun;
  }

  function leave({ tenant, member = WHOLE_TENANT }: TurnOwner<Tenant>): void {
    const [place, one] = entered(tenant, member);
    runningCount--;
    place.runningCount--;
    one.runningCount--;
    forget(tenant, member);
    startNext();
  }

  function entered(tenant: Tenant, member: string): [Place, Member] {
    const place = places.get(tenant) ?? { runningCount: 0, members: new Map() };
    const one = place.members.get(member) ?? { runningCount: 0, waiting: new Set() };
    place.members.set(member, one);
    places.set(tenant, place);
    return [place, one];
  }

  function forget(tenant: Tenant, member: string): void {
    const [place, { runningCount: heldCount, waiting }] = entered(tenant, member);
    if (heldCount > 0 || waiting.size > 0) return;
    place.members.delete(member);
    if (place.members.size === 0) places.delete(tenant);
  }

  /** A tenant comes after all that wait when it begins to wait, and when it has had its turn. */
  function moveToEnd(tenant: Tenant, place: Place): void {
    places.delete(tenant);
    places.set(tenant, place);
  }

  function begin(place: Place, member: Member): void {
    runningCount++;
    place.runningCount++;
    member.runningCount++;
  }

  /** One is enough: each end makes room for one. */
  function startNext(): void {
    if (waitingCount === 0 || runningCount >= inAll) return;
    for (const [tenant, place] of places) {
      const next = place.runningCount < perTenant(tenant) ? firstArrived(place) : undefined;
      if (!next) continue;
      const { member, first } = next;
      member.waiting.delete(first);
      waitingCount--;
      moveToEnd(tenant, place);
      begin(place, member);
      return first.start();
    }
  }

  function firstArrived({ members }: Place): { readonly member: Member; readonly first: Waiting } | undefined {
    let next: { readonly member: Member; readonly first: Waiting } | undefined;
    for (const member of members.values()) {
      const [first] = member.waiting;
      if (!first || member.runningCount >= perMember) continue;
      if (!next || first.arrival < next.first.arrival) next = { member, first };
    }
    return next;
  }
}

function isWaiting({ members }: Place): boolean {
  return [...members.values()].some(({ waiting }) => waiting.size > 0);
}

function sum({ runningCount, members }: Place): number {
  return [...members.values()].reduce((count, { waiting }) => count + waiting.size, runningCount);
}
