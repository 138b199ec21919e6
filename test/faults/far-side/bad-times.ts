import type { Random } from '../../harness/random.ts';

/** When a receiver misbehaves. */
export interface BadTimes {
  isBad(): boolean;
  /** Never again. */
  heal(): void;
}

const BAD_MS = [2_000, 5_000] as const;
const GOOD_MS = [2_000, 5_000] as const;

/** A receiver that comes and goes: in turns of some seconds, until it is healed. */
export function badTimes(random: Random): BadTimes {
  let isBad = false;
  let timer: NodeJS.Timeout;
  const turn = (): void => {
    isBad = !isBad;
    timer = setTimeout(turn, random.between(...(isBad ? BAD_MS : GOOD_MS)));
  };
  timer = setTimeout(turn, random.between(0, GOOD_MS[0]));
  return {
    isBad: () => isBad,
    heal() {
      clearTimeout(timer);
      isBad = false;
    },
  };
}

/** A receiver that misbehaves from the first moment on. */
export function badUntilHealed(): BadTimes {
  let isBad = true;
  return { isBad: () => isBad, heal: () => void (isBad = false) };
}

/** A receiver that never recovers. */
export const alwaysBad: BadTimes = { isBad: () => true, heal: () => undefined };
