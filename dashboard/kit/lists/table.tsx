import {
  type Column as TableColumn,
  createSortedRowModel,
  rowSortingFeature,
  sortFns,
  tableFeatures,
  useTable,
} from '@tanstack/preact-table';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly align?: 'end';
  readonly isHeadHidden?: boolean;
  readonly isWide?: boolean;
  /** Optional. What the column sorts by when its head is clicked. Only for lists that are loaded whole. */
  readonly sortBy?: (row: Row) => string | number;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly isBusy?: boolean;
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns });

/** The library takes objects only. */
type Line<Row> = { readonly row: Row };

/** Each row becomes a card on narrow screens. Explicit roles keep the table semantics there. */
export function Table<Row>({ caption, columns, rows, keyOf, isBusy }: TableProps<Row>) {
  const data = useMemo(() => rows.map((row): Line<Row> => ({ row })), [rows]);
  const table = useTable<typeof features, Line<Row>>({
    features,
    columns: columns.map(({ head, sortBy }) => ({
      id: head,
      accessorFn: ({ row }) => sortBy?.(row) ?? '',
      enableSorting: sortBy !== undefined,
    })),
    data,
    getRowId: ({ row }) => keyOf(row),
  });
  return (
    <div class="table-frame">
      <table class="table" role="table" aria-busy={isBusy || undefined}>
        <caption class="hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Head key={column.head} column={column} sorting={table.getColumn(column.head)} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {table.getRowModel().rows.map(({ id, original }) => (
            <tr key={id} role="row">
              {columns.map((column, index) => (
                <Cell key={column.head} column={column} row={original.row} isFirst={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: TableColumn<typeof features, Line<Row>> | undefined;
}

function Head<Row>({ column: { head, align, isHeadHidden, isWide, sortBy }, sorting }: HeadProps<Row>) {
  const order = sorting?.getIsSorted();
  return (
    <th
      role="columnheader"
      scope="col"
      class={classOf({ align, isWide })}
      aria-sort={order ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {isHeadHidden && <span class="hidden">{head}</span>}
      {!isHeadHidden && !sortBy && head}
      {!isHeadHidden && sortBy && (
        <button type="button" class="sort" onClick={() => sorting?.toggleSorting()}>
          {head} <span aria-hidden="true">{order === 'asc' ? '↑' : order === 'desc' ? '↓' : ''}</span>
        </button>
      )}
    </th>
  );
}

function Cell<Row>({ column, row, isFirst }: { column: Column<Row>; row: Row; isFirst: boolean }) {
  const { head, cell, align, isHeadHidden, isWide } = column;
  if (isFirst) {
    return (
      <th role="rowheader" scope="row" class={classOf({ align, isWide })}>
        {cell(row)}
      </th>
    );
  }
  return (
    <td role="cell" class={classOf({ align, isWide })} data-label={isHeadHidden ? undefined : head}>
      {cell(row)}
    </td>
  );
}

function classOf({ align, isWide }: { align?: 'end' | undefined; isWide?: boolean | undefined }): string | undefined {
  return [align, isWide && 'wide'].filter(Boolean).join(' ') || undefined;
}
