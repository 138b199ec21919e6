import type { Random } from '../../harness/random.ts';

export interface BadTimes {
  isBad(): boolean;
  heal(): void;
}

const BAD_MS = [2_000, 5_000] as const;
const GOOD_MS = [2_000, 5_000] as const;

/** Alternates between good and bad periods of a few seconds until healed. */
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

export function badUntilHealed(): BadTimes {
  let isBad = true;
  return { isBad: () => isBad, heal: () => void (isBad = false) };
}

export const alwaysBad: BadTimes = { isBad: () => true, heal: () => undefined };
