import type { ComponentChildren } from 'preact';
import { query, setQuery } from '../routes/router.ts';
import type { Pages } from './calls.ts';
import { SelectField } from './forms.tsx';
import { PageHeader, type PageHeaderProps } from './page.tsx';
import { Button, ErrorBox, Loading } from './parts.tsx';

interface ListProps<Item> extends Omit<TableProps<Item>, 'rows' | 'isBusy'> {
  readonly pages: Pages<Item>;
  /** One of the items, such as "delivery". */
  readonly one: string;
  /** Optional. Default: `one` with an "s". */
  readonly many?: string | undefined;
  readonly empty: ComponentChildren;
}

export function List<Item>({ pages, one, many, empty, ...table }: ListProps<Item>) {
  const { items, error, isLoading, hasMore, reload } = pages;
  if (!items) return error ? <ErrorBox error={error} onRetry={reload} /> : <Loading />;
  if (items.length === 0 && !hasMore) return <>{empty}</>;
  return (
    <>
      <Table {...table} rows={items} isBusy={isLoading} />
      <Pager pages={pages} one={one} many={many} />
    </>
  );
}

interface ListPageProps<Item> extends Omit<ListProps<Item>, 'caption'>, Pick<PageHeaderProps, 'title' | 'windowTitle'> {
  readonly about: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly filters?: ComponentChildren;
  /** Optional. Default: the title. */
  readonly caption?: string;
}

export function ListPage<Item>({ title, windowTitle, about, actions, filters, ...list }: ListPageProps<Item>) {
  return (
    <>
      <PageHeader title={title} windowTitle={windowTitle} actions={actions}>
        {about}
      </PageHeader>
      {filters}
      <List caption={title} {...list} />
    </>
  );
}

interface PagerProps<Item> {
  readonly pages: Pages<Item>;
  readonly one: string;
  readonly many?: string | undefined;
}

export function Pager<Item>({ pages, one, many = `${one}s` }: PagerProps<Item>) {
  const { items, hasMore, isLoading, error, loadMore } = pages;
  if (!items) return null;
  return (
    <div class="pager">
      <p role="status">
        {items.length} {items.length === 1 ? one : many}
        {hasMore ? ' shown' : ''}
      </p>
      {hasMore && (
        <Button small busy={isLoading} onClick={() => void loadMore()}>
          Load more
        </Button>
      )}
      <ErrorBox error={error} />
    </div>
  );
}

interface QuerySelectProps {
  /** The parameter of the address. */
  readonly name: string;
  readonly label: string;
  /** Without the first one, which stands for no filter. */
  readonly values: readonly (string | readonly [value: string, label: string])[];
  /** Optional. What no filter means. Default: Any. */
  readonly any?: string;
}

/** A filter in the address. Ignores an unknown value, which comes from an edited address. */
export function QuerySelect({ name, label, values, any = 'Any' }: QuerySelectProps) {
  const options = values.map((one) => (typeof one === 'string' ? ([one, one] as const) : one));
  const value = options.find(([one]) => one === query.value.get(name))?.[0] ?? '';
  return (
    <SelectField
      label={label}
      value={value}
      options={[['', any], ...options]}
      onValue={(chosen) => setQuery({ [name]: chosen })}
    />
  );
}

interface ClearFiltersProps {
  readonly names: readonly string[];
}

/** Appears while the address has a filter. */
export function ClearFilters({ names }: ClearFiltersProps) {
  if (!names.some((name) => query.value.get(name))) return null;
  return (
    <Button tone="quiet" onClick={() => setQuery(Object.fromEntries(names.map((name) => [name, ''])))}>
      Clear filters
    </Button>
  );
}

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly align?: 'end';
  readonly isHeadHidden?: boolean;
  readonly isWide?: boolean;
}

/** What the user can do with a row. The button is named by its words and the row, unless it has a name of its own. */
export type RowAct = readonly [words: string, onClick: () => unknown, name?: string];

/** The last column of a list. False leaves out what is not possible for the row. */
export function actionColumn<Row>(
  nameOf: (row: Row) => string | null,
  actsOf: (row: Row) => readonly (RowAct | false)[],
): Column<Row> {
  const cell = (row: Row): ComponentChildren => {
    const acts = actsOf(row).filter((act) => act !== false);
    const buttons = acts.map(([words, onClick, name = `${words} ${nameOf(row)}`]) => (
      <Button key={words} small tone="quiet" aria-label={name} onClick={() => void onClick()}>
        {words}
      </Button>
    ));
    if (acts.length <= 1) return buttons;
    return <div class={acts.length > 3 ? 'actions wrapping' : 'actions'}>{buttons}</div>;
  };
  return { head: 'Actions', isHeadHidden: true, align: 'end', cell };
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
            {columns.map(({ head, isHeadHidden, ...look }) => (
              <th key={head} role="columnheader" scope="col" class={classOf(look)}>
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
  const { head, cell, isHeadHidden, ...look } = column;
  if (isFirst) {
    return (
      <th role="rowheader" scope="row" class={classOf(look)}>
        {cell(row)}
      </th>
    );
  }
  return (
    <td role="cell" class={classOf(look)} data-label={isHeadHidden ? undefined : head}>
      {cell(row)}
    </td>
  );
}

function classOf({ align, isWide }: { align?: 'end'; isWide?: boolean }): string | undefined {
  return [align, isWide && 'wide'].filter(Boolean).join(' ') || undefined;
}
