import { DEFAULT_PAGE_SIZE } from '../../openapi/definitions/fields.ts';
import { InvalidRequest } from '../requests/errors.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** Reads one record more, to detect a next page. */
export async function readPage<Item>(
  limit: number | undefined,
  {
    read,
    cursorOf,
  }: { read: (limit: number) => Promise<readonly Item[] | undefined>; cursorOf: (item: Item) => string },
): Promise<Page<Item>> {
  const size = limit ?? DEFAULT_PAGE_SIZE;
  const found = await read(size + 1);
  if (!found) throw invalidCursor();
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, nextCursor: found.length > size && last !== undefined ? cursorOf(last) : null };
}

export interface PageRange {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

export interface RangeQuery {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export async function readNumberedPage<Item extends { readonly id: number }>(
  query: RangeQuery,
  read: (range: PageRange) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const { since, until, cursor } = query;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw invalidCursor();
  const range = {
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    before: cursor === undefined ? undefined : Number(cursor),
  };
  return await readPage(query.limit, {
    read: (limit) => read({ ...range, limit }),
    cursorOf: ({ id }) => String(id),
  });
}

export const invalidCursor = (): InvalidRequest => new InvalidRequest('query.cursor: not a cursor of this list.');
