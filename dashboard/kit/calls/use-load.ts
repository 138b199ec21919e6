import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<Value> {
  /** Kept during a reload; null before the first load. */
  readonly value: Value | null;
  readonly error: Error | null;
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
}

/** Loads a value on mount and whenever `inputs` change. Drops outdated responses. */
export function useLoad<Value>(load: () => Promise<Value>, inputs: readonly unknown[]): Loaded<Value> {
  const [state, setState] = useState<Omit<Loaded<Value>, 'reload'>>({ value: null, error: null, isLoading: true });
  const latestRequest = useRef(0);
  const currentLoad = useRef(load);
  currentLoad.current = load;

  const reload = useCallback(async () => {
    const request = ++latestRequest.current;
    setState((before) => ({ ...before, isLoading: true }));
    try {
      const value = await currentLoad.current();
      if (request === latestRequest.current) setState({ value, error: null, isLoading: false });
    } catch (error) {
      if (request === latestRequest.current)
        setState((before) => ({ ...before, error: asError(error), isLoading: false }));
    }
  }, []);

  useEffect(() => {
    setState((before) => ({ ...before, value: null, error: null }));
    void reload();
    return () => void latestRequest.current++;
  }, inputs);
  return { ...state, reload };
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
