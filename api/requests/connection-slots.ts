import { addressBlock, classifyAddress } from '../../contract/addresses/classify-address.ts';
import { admitsSlot } from './slot-admission.ts';
import { TooManyRequests } from './errors.ts';

export interface SlotOwner {
  readonly credentialId: string;
  /** The organization that the connection is about. */
  readonly organizationId: number;
  /** The person behind the credential: their organizations count together. */
  readonly userId: number;
  readonly clientAddress: string;
}

/** Limits the open streams of this process: each holds a connection and polls the database. */
export interface ConnectionSlots {
  /** Takes a slot or throws. The returned function releases it once. */
  take(owner: SlotOwner): () => void;
  count(): number;
  /** Aborts when the process ends. */
  readonly closing: AbortSignal;
  /** Ends all streams and refuses new ones. */
  close(): void;
}

/** Bounds that hold in an empty pool; `api/requests/slot-admission.ts` says how they shrink as it fills. */
export interface SlotNumbers {
  readonly perCredential: number;
  /** Far below all: a tenant with many keys leaves room for the others. One person's organizations have it together. */
  readonly perOrganization: number;
  readonly inAll: number;
}

/** Ten people or programs behind one key; a thousand streams ask the database a thousand times a second. */
const defaultNumbers: SlotNumbers = { perCredential: 10, perOrganization: 100, inAll: 1_000 };
/** Several organizations may share an address: an office, a cloud's way out. */
const ORGANIZATIONS_PER_ADDRESS = 2;
const RETRY_SECONDS = 15;

export function createConnectionSlots({ perCredential, perOrganization, inAll } = defaultNumbers): ConnectionSlots {
  const held = counts();
  const ending = new AbortController();
  let takenCount = 0;

  return {
    take(owner) {
      const holders = holdersOf(owner).map(({ key, maxCount }) => ({ key, maxCount, heldCount: held.of(key) }));
      if (ending.signal.aborted || !admitsSlot({ capacity: inAll, takenCount }, holders)) {
        throw new TooManyRequests(RETRY_SECONDS);
      }
      const move = (by: 1 | -1): void => {
        for (const { key } of holders) held.add(key, by);
        takenCount += by;
      };
      move(1);
      let isHeld = true;
      return () => {
        if (isHeld) move(-1);
        isHeld = false;
      };
    },
    count: () => takenCount,
    closing: ending.signal,
    close: () => ending.abort(),
  };

  function holdersOf({ credentialId, organizationId, userId, clientAddress }: SlotOwner) {
    const holders = [
      { key: `credential:${credentialId}`, maxCount: perCredential },
      { key: `organization:${organizationId}`, maxCount: perOrganization },
      { key: `person:${userId}`, maxCount: perOrganization },
    ];
    // A private address belongs to a proxy or neighbour and doesn't identify a client.
    if (classifyAddress(clientAddress) === 'public') {
      const maxCount = perOrganization * ORGANIZATIONS_PER_ADDRESS;
      holders.push({ key: `address:${addressBlock(clientAddress)}`, maxCount });
    }
    return holders;
  }
}

/** Keeps nothing of a holder that is back at none. */
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
  };
}
