import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly align?: 'end';
  readonly isHeadHidden?: boolean;
  readonly isWide?: boolean;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly isBusy?: boolean;
}

/** Each row becomes a card on narrow screens. Explicit roles keep the table semantics there. */
export function Table<Row>({ caption, columns, rows, keyOf, isBusy }: TableProps<Row>) {
  return (
    <div class="table-frame">
      <table class="table" role="table" aria-busy={isBusy || undefined}>
        <caption class="hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ head, align, isHeadHidden, isWide }) => (
              <th key={head} role="columnheader" scope="col" class={classOf({ align, isWide })}>
                {isHeadHidden ? <span class="hidden">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column, index) => (
                <Cell key={column.head} column={column} row={row} isFirst={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
