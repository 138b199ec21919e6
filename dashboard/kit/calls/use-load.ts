import { useQuery } from '@tanstack/preact-query';
import { useCallback } from 'preact/hooks';
import { answers } from './answers.ts';
import { asError } from './as-error.ts';
import { useKey } from './use-key.ts';

export interface Loaded<Value> {
  /** Kept during a reload; null before the first load. */
  readonly value: Value | null;
  readonly error: Error | null;
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
}

export interface LoadOptions {
  /** Optional. Shares the answer among components and pages, by this name and the inputs. */
  readonly name?: string;
  /** Optional. Loads only when asked, for calls that are recorded, such as revealing a secret. */
  readonly isOnce?: boolean;
}

/**
 * Loads a value on mount, whenever `inputs` change, and when the page comes back into view. Drops outdated responses.
 */
export function useLoad<Value>(
  load: () => Promise<Value>,
  inputs: readonly unknown[],
  { name, isOnce = false }: LoadOptions = {},
): Loaded<Value> {
  const query = useQuery(
    {
      queryKey: useKey(name, inputs),
      // Wrapped, because a query must not answer undefined.
      queryFn: async () => ({ value: await load() }),
      ...(name === undefined && { gcTime: 0 }),
      ...(isOnce && { refetchOnWindowFocus: false, refetchOnMount: false, staleTime: Infinity }),
    },
    answers,
  );
  const { refetch } = query;
  const reload = useCallback(async () => void (await refetch()), [refetch]);
  return {
    value: query.data ? query.data.value : null,
    error: query.error && asError(query.error),
    isLoading: query.isFetching,
    reload,
  };
}
