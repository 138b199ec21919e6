import { TooManyRequests } from '../errors.ts';

/** How many streams are open in this process: each holds a connection and asks the database every moment. */
export interface ConnectionSlots {
  /** Takes a slot, or refuses by a throw; the returned function gives it back, once. */
  take(credentialId: string): () => void;
  count(): number;
  /** Aborts when the process ends. */
  readonly closing: AbortSignal;
  /** Tells all streams to end, and takes no more. */
  close(): void;
}

export interface SlotNumbers {
  readonly perCredential: number;
  readonly inAll: number;
}

/** Ten people or programs behind one key; a thousand streams ask the database a thousand times a second. */
const defaultNumbers: SlotNumbers = { perCredential: 10, inAll: 1_000 };
const RETRY_SECONDS = 15;

export function createConnectionSlots({ perCredential, inAll } = defaultNumbers): ConnectionSlots {
  const taken = new Map<string, number>();
  const ending = new AbortController();
  let all = 0;

  return {
    take(credentialId) {
      const own = taken.get(credentialId) ?? 0;
      if (own >= perCredential || all >= inAll || ending.signal.aborted) throw new TooManyRequests(RETRY_SECONDS);
      taken.set(credentialId, own + 1);
      all += 1;
      let held = true;
      return () => {
        if (held) giveBack(credentialId);
        held = false;
      };
    },
    count: () => all,
    closing: ending.signal,
    close: () => ending.abort(),
  };

  function giveBack(credentialId: string): void {
    all -= 1;
    const left = (taken.get(credentialId) ?? 1) - 1;
    if (left > 0) taken.set(credentialId, left);
    else taken.delete(credentialId);
  }
}
