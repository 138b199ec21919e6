/** A seeded random generator for repeatable runs. */
export interface Random {
  /** Returns a number in [low, high). */
  between(low: number, high: number): number;
  chance(share: number): boolean;
  shuffled<Item>(items: readonly Item[]): Item[];
}

export function randomFrom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (low, high) => low + (high - low) * next(),
    chance: (share) => next() < share,
    shuffled(items) {
      const rest = [...items];
      return items.flatMap(() => rest.splice(Math.floor(next() * rest.length), 1));
    },
  };
}
