import type { ComponentChildren } from 'preact';
import { ErrorBox } from '../error-box.tsx';
import { Skeleton } from './skeleton.tsx';
import { Pager } from './pager.tsx';
import { type Column, Table } from './table.tsx';
import type { Pages } from './use-pages.ts';

interface ListProps<Item> {
  readonly pages: Pages<Item>;
  readonly caption: string;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  readonly one: string;
  readonly many: string;
  readonly empty: ComponentChildren;
}

export function List<Item>({ pages, caption, columns, keyOf, one, many, empty }: ListProps<Item>) {
  const { items, error, isLoading, hasMore, reload } = pages;
  if (!items) return error ? <ErrorBox error={error} onRetry={() => void reload()} /> : <Loading />;
  if (items.length === 0 && !isLoading && !hasMore) return <>{empty}</>;
  return (
    <>
      <Table caption={caption} columns={columns} rows={items} keyOf={keyOf} isBusy={isLoading} />
      <Pager pages={pages} one={one} many={many} />
    </>
  );
}

/** The state of a part that loads. */
export function Loading({ rows }: { readonly rows?: number }) {
  return <Skeleton {...(rows !== undefined && { rows })} />;
}
