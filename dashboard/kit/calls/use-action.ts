import { useRef, useState } from 'preact/hooks';
import { asError } from './as-error.ts';

export interface Action<Args extends readonly unknown[]> {
  /** Does nothing while the action is running. Returns true on success; a failure is kept in `error`. */
  readonly run: (...args: Args) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly error: Error | null;
}

export function useAction<Args extends readonly unknown[]>(act: (...args: Args) => Promise<unknown>): Action<Args> {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const isRunning = useRef(false);
  const run = async (...args: Args): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    setError(null);
    try {
      await act(...args);
      return true;
    } catch (failure) {
      setError(asError(failure));
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { run, isBusy, error };
}
