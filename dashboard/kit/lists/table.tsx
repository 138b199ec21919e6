import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers and times stand under each other; buttons stand at the end. */
  readonly align?: 'end';
  /** A head that only screen readers need: above buttons. */
  readonly isHeadHidden?: boolean;
  /** Takes what room is left over. */
  readonly isWide?: boolean;
}

interface TableProps<Row> {
  /** What the table lists, for screen readers. */
  readonly caption: string;
  /** The first column names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** While newer rows are on their way. */
  readonly isBusy?: boolean;
}

/** A list as a table; on a narrow screen each row becomes a card. The roles keep it a table there, too. */
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
