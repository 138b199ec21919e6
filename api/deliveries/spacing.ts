/** Runs an act for a key: at once, or where one has run for it just before, as soon as it may again. */
export type RunSpaced<Key> = (key: Key, act: () => void) => void;

export interface Spacing {
  readonly everyMs: number;
  /** Optional. Runs an act after a delay; default `setTimeout`, which does not keep the process alive. */
  readonly after?: (delayMs: number, act: () => void) => void;
}

const afterTimeout: NonNullable<Spacing['after']> = (delayMs, act) => void setTimeout(act, delayMs).unref();

/** Runs acts of a key at most once per `everyMs`. Acts requested in between are replaced by the last one. */
export function createSpacing<Key>({ everyMs, after = afterTimeout }: Spacing): RunSpaced<Key> {
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
    after(everyMs, again);
    act();
  };
}
