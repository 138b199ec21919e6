/** Runs an act for a key: at once, or where one has run for it just before, as soon as it may again. */
export type RunSpaced<Key> = (key: Key, act: () => void) => void;

/** Lets acts for a key run once in so many milliseconds. Whatever comes in between is one act, the last, at their end. */
export function createSpacing<Key>({ everyMs }: { readonly everyMs: number }): RunSpaced<Key> {
  const next = new Map<Key, (() => void) | undefined>();

  return function run(key, act) {
    if (next.has(key)) {
      next.set(key, act);
      return;
    }
    next.set(key, undefined);
    const again = () => {
      const waiting = next.get(key);
      next.delete(key);
      if (waiting) run(key, waiting);
    };
    setTimeout(again, everyMs).unref(); // what is due when the process ends is not waited for
    act();
  };
}
