import { addressBlock, classifyAddress } from '../contract/addresses/classify-address.ts';
import { TooManyRequests } from './http-errors.ts';

/** Who takes a slot. Only the given fields count. */
export interface ShareOwner {
  readonly credentialId?: string | undefined;
  readonly organizationId?: number | undefined;
  readonly userId?: number | undefined;
  readonly clientAddress?: string | undefined;
}

/** Limits for an empty pool; see `slot-admission.ts`. */
export interface ShareNumbers {
  readonly perCredential: number;
  /** Also limits all organizations of one user together. */
  readonly perOrganization: number;
  readonly inAll: number;
  /** Optional. What a holder may have of the reserve. Default: two slots. */
  readonly few?: number;
  /** Optional. Default: 15 s. */
  readonly retrySeconds?: number;
  /** Optional. How long `during` waits for a slot. Default: it does not wait. */
  readonly waitMs?: number;
}

/** A bounded thing that tenants share, such as open streams. */
export interface Shares {
  /** Returns a function that releases the slots, one by default. Throws TooManyRequests. */
  take(owner: ShareOwner, count?: number): () => void;
  /** Like `take`. Returns undefined instead of throwing. */
  tryTake(owner: ShareOwner, count?: number): (() => void) | undefined;
  /** Holds a slot until the work settles, also while its client has left. Throws TooManyRequests, after a wait. */
  during<Result>(owner: ShareOwner, work: () => Promise<Result>): Promise<Result>;
  readonly capacity: number;
  readonly numbers: ShareNumbers;
  count(): number;
  /** The organizations with the most slots, largest first. */
  largest(): readonly ShareHolder[];
  readonly closing: AbortSignal;
  close(): void;
}

export interface ShareHolder {
  readonly organizationId: number;
  readonly heldCount: number;
}

/** Organizations may share an address. */
const ORGANIZATIONS_PER_ADDRESS = 2;
const RETRY_SECONDS = 15;
/** Enough to name who fills a pool. */
const LARGEST_COUNT = 3;
/** Bounds the memory for an organization that sends more than its share. */
const WAITING_PER_SLOT = 4;

export function createShares(numbers: ShareNumbers): Shares {
  const { perCredential, perOrganization, inAll, few, retrySeconds, waitMs } = numbers;
  const held = counts();
  const ending = new AbortController();
  /** In order of arrival. Each takes its slot if it may. */
  const waiting = new Set<() => void>();
  const waitingOf = counts();
  let takenCount = 0;

  return {
    take,
    tryTake,
    async during(owner, work) {
      const giveBack = tryTake(owner) ?? (await takeLater(owner));
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
    capacity: inAll,
    numbers,
    count: () => takenCount,
    largest: () =>
      held
        .under(ORGANIZATION)
        .map(([id, heldCount]) => ({ organizationId: Number(id), heldCount }))
        .toSorted((one, other) => other.heldCount - one.heldCount)
        .slice(0, LARGEST_COUNT),
    closing: ending.signal,
    close: () => ending.abort(),
  };

  function take(owner: ShareOwner, count?: number): () => void {
    const giveBack = tryTake(owner, count);
    if (giveBack === undefined) throw refusal();
    return giveBack;
  }

  async function takeLater(owner: ShareOwner): Promise<() => void> {
    const whose = String(owner.organizationId ?? owner.credentialId);
    if (waitMs === undefined || waitingOf.of(whose) >= perOrganization * WAITING_PER_SLOT) throw refusal();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const leave = (): void => {
      clearTimeout(timer);
      waiting.delete(attempt);
      waitingOf.add(whose, -1);
    };
    const attempt = (): void => {
      const giveBack = tryTake(owner);
      if (!giveBack) return;
      leave();
      resolve(giveBack);
    };
    const timer = setTimeout(() => {
      leave();
      reject(refusal());
    }, waitMs);
    waiting.add(attempt);
    waitingOf.add(whose, 1);
    return await promise;
  }

  function refusal(): TooManyRequests {
    return new TooManyRequests(retrySeconds ?? RETRY_SECONDS);
  }

  function tryTake(owner: ShareOwner, count = 1): (() => void) | undefined {
    const holders = holdersOf(owner).map(({ key, maxCount }) => ({ key, maxCount, heldCount: held.of(key) }));
    if (ending.signal.aborted || !admitsSlot({ capacity: inAll, takenCount, fewCount: few }, holders, count)) {
      return undefined;
    }
    const move = (by: 1 | -1): void => {
      for (const { key } of holders) held.add(key, by * count);
      takenCount += by * count;
    };
    move(1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      move(-1);
      for (const attempt of waiting) attempt();
    };
  }

  function holdersOf({ credentialId, organizationId, userId, clientAddress }: ShareOwner) {
    const holders: { readonly key: string; readonly maxCount: number }[] = [];
    if (credentialId !== undefined) holders.push({ key: `credential:${credentialId}`, maxCount: perCredential });
    if (organizationId !== undefined)
      holders.push({ key: `${ORGANIZATION}${organizationId}`, maxCount: perOrganization });
    if (userId !== undefined) holders.push({ key: `person:${userId}`, maxCount: perOrganization });
    // A private address identifies a proxy, not a client.
    if (clientAddress !== undefined && classifyAddress(clientAddress) === 'public') {
      const maxCount = perOrganization * ORGANIZATIONS_PER_ADDRESS;
      holders.push({ key: `address:${addressBlock(clientAddress)}`, maxCount });
    }
    return holders;
  }
}

const ORGANIZATION = 'organization:';

function counts() {
  const taken = new Map<string, number>();
  const of = (key: string): number => taken.get(key) ?? 0;
  return {
    of,
    add(key: string, by: number): void {
      const count = of(key) + by;
      if (count > 0) taken.set(key, count);
      else taken.delete(key);
    },
    under: (prefix: string): [string, number][] =>
      [...taken].flatMap(([key, count]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), count]] : [])),
  };
}

/**
 * Each holder of a request (credential, organization, user, client address) must be within its share: at most a quarter
 * of the free slots outside the reserve. The reserve is for holders of few slots. Greedy organizations therefore leave
 * room for a newcomer, as long as they come from few users or addresses.
 */
interface SlotPool {
  readonly capacity: number;
  readonly takenCount: number;
  /** Optional. How many slots are few. Default: `FEW_SLOTS`. */
  readonly fewCount?: number | undefined;
}

interface SlotHolder {
  readonly heldCount: number;
  /** Applies even in an empty pool. */
  readonly maxCount: number;
}

/** Enough for a dashboard and one program. */
export const FEW_SLOTS = 2;
const RESERVED_SHARE = 0.2;
/** Ten greedy holders fill 94 % of the open part, and the eleventh still gets a few slots. */
const SHARE_DIVISOR = 4;

export function reservedSlots(capacity: number): number {
  return Math.ceil(capacity * RESERVED_SHARE);
}

export function admitsSlot(pool: SlotPool, holders: readonly SlotHolder[], askedCount = 1): boolean {
  const { capacity, takenCount, fewCount = FEW_SLOTS } = pool;
  const freeCount = capacity - takenCount;
  if (freeCount < askedCount) return false;
  const share = Math.floor((freeCount - reservedSlots(capacity)) / SHARE_DIVISOR);
  return holders.every(({ heldCount, maxCount }) => {
    const count = heldCount + askedCount;
    return count <= maxCount && (count <= fewCount || count <= share);
  });
}
