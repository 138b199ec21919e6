import { addressBlock, classifyAddress } from '../../contract/addresses/classify-address.ts';
import { admitsSlot } from './slot-admission.ts';
import { TooManyRequests } from './errors.ts';

export interface SlotOwner {
  readonly credentialId: string;
  readonly organizationId: number;
  readonly userId: number;
  readonly clientAddress: string;
}

/** For streams or long polls. */
export interface ConnectionSlots {
  /** Returns a function that releases the slot. Throws TooManyRequests. */
  take(owner: SlotOwner): () => void;
  count(): number;
  readonly closing: AbortSignal;
  close(): void;
}

/** Limits for an empty pool; see `slot-admission.ts`. */
export interface SlotNumbers {
  readonly perCredential: number;
  /** Also limits all organizations of one user together. */
  readonly perOrganization: number;
  readonly inAll: number;
}

/** Ten programs per key. A thousand streams make a thousand database reads per second. */
const defaultNumbers: SlotNumbers = { perCredential: 10, perOrganization: 100, inAll: 1_000 };
/** Organizations may share an address. */
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
    // A private address identifies a proxy, not a client.
    if (classifyAddress(clientAddress) === 'public') {
      const maxCount = perOrganization * ORGANIZATIONS_PER_ADDRESS;
      holders.push({ key: `address:${addressBlock(clientAddress)}`, maxCount });
    }
    return holders;
  }
}

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
