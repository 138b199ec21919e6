import { useInfiniteQuery } from '@tanstack/preact-query';
import { useCallback, useMemo } from 'preact/hooks';
import { answers } from '../calls/answers.ts';
import { useKey } from '../calls/use-key.ts';
import { asError } from '../calls/as-error.ts';

export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export interface Pages<Item> {
  readonly items: readonly Item[] | null;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly loadMore: () => Promise<void>;
  readonly reload: () => Promise<void>;
}

/** Reads a list page by page. A reload reads the pages shown again, so that the place in the list is kept. */
export function usePages<Item>(
  readPage: (cursor: string | undefined) => Promise<ListPage<Item>>,
  inputs: readonly unknown[],
  { name }: { readonly name?: string } = {},
): Pages<Item> {
  const query = useInfiniteQuery(
    {
      queryKey: useKey(name, inputs),
      queryFn: ({ pageParam }) => readPage(pageParam),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ nextCursor }: ListPage<Item>) => nextCursor ?? undefined,
      // A long list is not read again just because the page comes back into view.
      refetchOnWindowFocus: ({ state }: { state: { data?: { pages: unknown[] } | undefined } }) =>
        (state.data?.pages.length ?? 0) <= 1,
      ...(name === undefined && { gcTime: 0 }),
    },
    answers,
  );
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? null, [data]);
  const loadMore = useCallback(async () => {
    if (hasNextPage) await fetchNextPage();
  }, [hasNextPage, fetchNextPage]);
  const reload = useCallback(async () => void (await refetch()), [refetch]);
  return { items, hasMore: hasNextPage, isLoading: isFetching, error: error && asError(error), loadMore, reload };
}
