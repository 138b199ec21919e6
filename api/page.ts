import { DEFAULT_PAGE_SIZE } from '../contract/schemas/fields.ts';
import { InvalidRequest } from './errors.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** Reads one record more than a page has, which tells whether there is a next one. */
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

export const invalidCursor = (): InvalidRequest => new InvalidRequest('query.cursor: not a cursor of this list.');
