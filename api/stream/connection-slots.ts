import { TooManyRequests } from '../errors.ts';

/** Whose connection it is. */
export interface SlotOwner {
  readonly credentialId: string;
  /** The organization that the connection is about. */
  readonly organizationId: number;
}

/** How many streams are open in this process: each holds a connection and asks the database every moment. */
export interface ConnectionSlots {
  /** Takes a slot, or refuses by a throw; the returned function gives it back, once. */
  take(owner: SlotOwner): () => void;
  count(): number;
  /** Aborts when the process ends. */
  readonly closing: AbortSignal;
  /** Tells all streams to end, and takes no more. */
  close(): void;
}

export interface SlotNumbers {
  readonly perCredential: number;
  /** Far below all: a tenant with many keys leaves room for the others. */
  readonly perOrganization: number;
  readonly inAll: number;
}

/** Ten people or programs behind one key; a thousand streams ask the database a thousand times a second. */
const defaultNumbers: SlotNumbers = { perCredential: 10, perOrganization: 100, inAll: 1_000 };
const RETRY_SECONDS = 15;

export function createConnectionSlots({ perCredential, perOrganization, inAll } = defaultNumbers): ConnectionSlots {
  const ofCredentials = counts<string>();
  const ofOrganizations = counts<number>();
  const ending = new AbortController();
  let all = 0;

  return {
    take({ credentialId, organizationId }) {
      const isFull =
        ofCredentials.of(credentialId) >= perCredential ||
        ofOrganizations.of(organizationId) >= perOrganization ||
        all >= inAll;
      if (isFull || ending.signal.aborted) throw new TooManyRequests(RETRY_SECONDS);
      const move = (by: 1 | -1): void => {
        ofCredentials.add(credentialId, by);
        ofOrganizations.add(organizationId, by);
        all += by;
      };
      move(1);
      let held = true;
      return () => {
        if (held) move(-1);
        held = false;
      };
    },
    count: () => all,
    closing: ending.signal,
    close: () => ending.abort(),
  };
}

/** Keeps nothing of whoever is back at none. */
function counts<Key>() {
  const taken = new Map<Key, number>();
  const of = (key: Key): number => taken.get(key) ?? 0;
  return {
    of,
    add(key: Key, by: number): void {
      const count = of(key) + by;
      if (count > 0) taken.set(key, count);
      else taken.delete(key);
    },
  };
}
