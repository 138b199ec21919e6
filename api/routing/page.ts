import { type IdKey, idPrefixes, sequencedId, sequenceOf } from '../../contract/ids.ts';
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
  readonly idKey: IdKey;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export async function readNumberedPage<Item extends { readonly id: number }>(
  query: RangeQuery,
  read: (range: PageRange) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const { since, until, cursor, idKey } = query;
  const before = cursor === undefined ? undefined : numberOfCursor(idKey, cursor);
  if (cursor !== undefined && before === undefined) throw invalidCursor();
  const range = {
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    before,
  };
  return await readPage(query.limit, {
    read: (limit) => read({ ...range, limit }),
    cursorOf: ({ id }) => cursorOfNumber(idKey, id),
  });
}

const CURSOR_PREFIX = 'cur_';
/** Any permutation of numbers will do. */
const KIND = 'event';

/** Returns a cursor that does not show the number of rows of the installation. */
export function cursorOfNumber(idKey: IdKey, number: number): string {
  return CURSOR_PREFIX + sequencedId(idKey, KIND, number).slice(idPrefixes[KIND].length);
}

/** Returns undefined for what is not such a cursor. */
export function numberOfCursor(idKey: IdKey, cursor: string): number | undefined {
  if (!cursor.startsWith(CURSOR_PREFIX)) return undefined;
  return sequenceOf(idKey, KIND, idPrefixes[KIND] + cursor.slice(CURSOR_PREFIX.length));
}

export const invalidCursor = (): InvalidRequest => new InvalidRequest('query.cursor: not a cursor of this list.');
