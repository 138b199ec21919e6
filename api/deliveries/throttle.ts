export type Throttle<Key> = (key: Key, act: () => void) => void;

export interface ThrottleOptions {
  readonly intervalMs: number;
  /** Optional. Runs an act after a delay; default `setTimeout`, which does not keep the process alive. */
  readonly after?: (delayMs: number, act: () => void) => void;
}

const afterTimeout: NonNullable<ThrottleOptions['after']> = (delayMs, act) => void setTimeout(act, delayMs).unref();

/** Runs acts of a key at most once per interval. Acts requested in between are replaced by the last one. */
export function createThrottle<Key>({ intervalMs, after = afterTimeout }: ThrottleOptions): Throttle<Key> {
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
    after(intervalMs, again);
    act();
  };
}
