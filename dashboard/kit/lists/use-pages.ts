import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { asError } from '../calls/use-load.ts';

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

interface PagesState<Item> {
  readonly items: readonly Item[] | null;
  readonly cursor: string | null;
  readonly isLoading: boolean;
  readonly error: Error | null;
}

export function usePages<Item>(
  readPage: (cursor: string | undefined) => Promise<ListPage<Item>>,
  inputs: readonly unknown[],
): Pages<Item> {
  const nothing: PagesState<Item> = { items: null, cursor: null, isLoading: true, error: null };
  const [state, setState] = useState(nothing);
  const latestRequest = useRef(0);
  const read = useRef(readPage);
  read.current = readPage;

  const ask = useCallback(async (cursor?: string) => {
    const request = ++latestRequest.current;
    setState((before) => ({ ...before, isLoading: true }));
    try {
      const { items, nextCursor } = await read.current(cursor);
      if (request !== latestRequest.current) return;
      setState((before) => {
        const earlier = cursor === undefined ? [] : (before.items ?? []);
        return { items: [...earlier, ...items], cursor: nextCursor, isLoading: false, error: null };
      });
    } catch (error) {
      if (request === latestRequest.current)
        setState((before) => ({ ...before, isLoading: false, error: asError(error) }));
    }
  }, []);

  useEffect(() => {
    setState(nothing);
    void ask();
    return () => void latestRequest.current++;
  }, inputs);

  const { cursor, ...shown } = state;
  const loadMore = async () => {
    if (cursor !== null) await ask(cursor);
  };
  return { ...shown, hasMore: cursor !== null, loadMore, reload: () => ask() };
}
