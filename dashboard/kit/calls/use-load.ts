import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<Value> {
  /** What came last, kept while it is asked for anew; null until then. */
  readonly value: Value | null;
  readonly error: Error | null;
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
}

/** Asks for something when the component appears and whenever one of `inputs` changes; answers to old questions are dropped. */
export function useLoad<Value>(load: () => Promise<Value>, inputs: readonly unknown[]): Loaded<Value> {
  const [state, setState] = useState<Omit<Loaded<Value>, 'reload'>>({ value: null, error: null, isLoading: true });
  const question = useRef(0);
  const ask = useRef(load);
  ask.current = load;

  const reload = useCallback(async () => {
    const own = ++question.current;
    setState((before) => ({ ...before, isLoading: true }));
    try {
      const value = await ask.current();
      if (own === question.current) setState({ value, error: null, isLoading: false });
    } catch (error) {
      if (own === question.current) setState((before) => ({ ...before, error: asError(error), isLoading: false }));
    }
  }, []);

  useEffect(() => {
    setState((before) => ({ ...before, value: null, error: null }));
    void reload();
    return () => void question.current++;
  }, inputs);
  return { ...state, reload };
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
