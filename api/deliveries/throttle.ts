export type Throttle<Key> = (key: Key, act: () => void) => void;

export interface ThrottleOptions {
  readonly intervalMs: number;
  /** Optional. Default: `setTimeout`, unreferenced. */
  readonly after?: (delayMs: number, act: () => void) => void;
}

const afterTimeout: NonNullable<ThrottleOptions['after']> = (delayMs, act) => void setTimeout(act, delayMs).unref();

/** Of the calls within an interval, only the first and the last run. */
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
