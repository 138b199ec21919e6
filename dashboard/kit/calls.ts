import { MutationCache, QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/preact-query';
import { useCallback, useMemo, useRef } from 'preact/hooks';

const FRESH_MS = 5_000;
const KEPT_MS = 120_000;

/**
 * The one cache of the dashboard. An error is shown at once, because the user sees a button to try again. A page that
 * comes back into view reads again what is older than a few seconds. Each successful change reads again what is shown,
 * and is busy until then, so that no page tells another what it changed.
 */
export const queries: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    onSuccess: (...[, , , { meta }]) => (meta?.['isLocal'] ? undefined : reloadShown()),
  }),
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: FRESH_MS, gcTime: 0, refetchOnMount: 'always' },
    mutations: { networkMode: 'always', gcTime: 0 },
  },
});

/** Reads again what is on the page. */
async function reloadShown(): Promise<void> {
  await queries.invalidateQueries();
}

/** Calls what may have an effect even if it fails: what is shown is read again then, too. */
export async function reloadingOnFailure<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    await reloadShown();
    throw error;
  }
}

export interface Loaded<Value> {
  /** Kept during a reload; null before the first load. */
  readonly value: Value | null;
  readonly error: Error | null;
  readonly reload: () => Promise<void>;
}

interface LoadOptions<Value> {
  /** Optional. Loads again after this time while the page is visible. A function gets the latest value. */
  readonly everyMs?: number | ((value: Value) => number | false);
  /** Optional. Keeps the value for the next page that needs it. */
  readonly isKept?: boolean;
  /** Optional. Loads only once, for what a dialog begins with, and for calls that are recorded. */
  readonly isOnce?: boolean;
}

/** Loads a value on mount, when the key changes, and when the page comes back into view. Drops outdated responses. */
export function useLoad<Value>(
  key: readonly unknown[],
  load: () => Promise<Value>,
  { everyMs = 0, isKept = false, isOnce = false }: LoadOptions<Value> = {},
): Loaded<Value> {
  const { data, error, refetch } = useQuery<Value>(
    {
      queryKey: key,
      queryFn: () => load(),
      refetchInterval: ({ state }) =>
        typeof everyMs === 'number' ? everyMs : state.data !== undefined && everyMs(state.data),
      ...(isKept && { gcTime: KEPT_MS }),
      ...(isOnce && { staleTime: 'static' as const }),
    },
    queries,
  );
  const reload = useCallback(async () => void (await refetch({ cancelRefetch: false })), [refetch]);
  return { value: data ?? null, error, reload };
}

export interface Pages<Item> {
  readonly items: readonly Item[] | null;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly loadMore: () => Promise<void>;
  readonly reload: () => Promise<void>;
}

interface ListPage {
  readonly nextCursor: string | null;
}

type ItemOf<Page, Name> = Name extends keyof Page ? (Page[Name] extends readonly (infer Item)[] ? Item : never) : never;

/**
 * Reads a list page by page. The first part of the key names the field with the items. A reload reads the pages shown
 * again, so that the place in the list is kept.
 */
export function usePages<const Name extends string, Page extends ListPage>(
  key: readonly [Name, ...(readonly unknown[])],
  readPage: (query: { readonly cursor?: string }) => Promise<Page>,
  everyMs: (items: readonly ItemOf<Page, Name>[], isFirstPage: boolean) => number | false = () => false,
): Pages<ItemOf<Page, Name>> {
  type Item = ItemOf<Page, Name>;
  const itemsOf = (pages: readonly Page[]): Item[] =>
    pages.flatMap((page) => page[key[0] as unknown as keyof Page] as unknown as Item[]);
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(
    {
      queryKey: ['pages', ...key],
      queryFn: ({ pageParam }) => readPage(pageParam === undefined ? {} : { cursor: pageParam }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ nextCursor }: Page) => nextCursor ?? undefined,
      // A long list is not read again just because the page comes back into view.
      refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= 1,
      refetchInterval: ({ state }) =>
        state.data !== undefined && everyMs(itemsOf(state.data.pages), state.data.pages.length === 1),
    },
    queries,
  );
  const items = useMemo(() => (data ? itemsOf(data.pages) : null), [data]);
  const loadMore = useCallback(async () => {
    if (hasNextPage) await fetchNextPage();
  }, [hasNextPage, fetchNextPage]);
  const reload = useCallback(async () => void (await refetch({ cancelRefetch: false })), [refetch]);
  return { items, hasMore: hasNextPage, isLoading: isFetching, error, loadMore, reload };
}

export interface Action<Input = void> {
  /** Does nothing while the action is running. A failure is kept in `error`. */
  readonly run: (input: Input) => void;
  readonly isBusy: boolean;
  readonly error: Error | null;
}

/** A change. `onDone` is called once what is shown was read again, which what stays in the browser does not need. */
export function useAction<Input = void>(
  act: (input: Input) => Promise<unknown>,
  onDone?: () => void,
  isLocal = false,
): Action<Input> {
  const isRunning = useRef(false);
  // The library takes new functions only after the next paint, which a quick Enter precedes.
  const current = useRef({ act, onDone });
  current.current = { act, onDone };
  const { mutate, isPending, error } = useMutation<unknown, Error, Input>(
    {
      meta: { isLocal },
      mutationFn: (input) => current.current.act(input),
      onSuccess: () => current.current.onDone?.(),
      onSettled: () => void (isRunning.current = false),
    },
    queries,
  );
  const run = (input: Input): void => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutate(input);
  };
  return { run, isBusy: isPending, error };
}

const KEY_BYTES = 16;

/**
 * Created when a form opens, so that a second click or a retry has no effect. `randomUUID` is missing on pages served
 * without TLS.
 */
export function idempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
