import { hash } from 'node:crypto';
import { type IdKey, idKeyFrom, idPrefixes, sequencedId, sequenceOf } from '../../contract/ids.ts';
import { DEFAULT_PAGE_SIZE } from '../../openapi/definitions/fields.ts';
import type { PageAfter } from '../../db/core/model.ts';
import { InvalidRequest } from '../requests/errors.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** Reads one record more, to detect a next page. */
async function readPage<Item>(
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

export interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** For a list whose cursors are public ids of its items. */
export async function readNamedPage<const Key extends string, Item extends Readonly<Record<Key, string>>>(
  { cursor, limit }: PageQuery,
  key: Key,
  read: (page: PageAfter) => Promise<readonly Item[] | undefined>,
): Promise<Page<Item>> {
  return await readPage(limit, {
    read: (size) => read({ after: cursor, limit: size }),
    cursorOf: (item) => item[key],
  });
}

export interface PageRange {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

export interface RangeQuery extends NumberedList, PageQuery {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export async function readNumberedPage<Item extends { readonly id: number }>(
  query: RangeQuery,
  read: (range: PageRange) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const { since, until, cursor } = query;
  const before = cursor === undefined ? undefined : numberOfCursor(query, cursor);
  if (cursor !== undefined && before === undefined) throw invalidCursor();
  const range = {
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    before,
  };
  return await readPage(query.limit, {
    read: (limit) => read({ ...range, limit }),
    cursorOf: ({ id }) => cursorOfNumber(query, id),
  });
}

const CURSOR_PREFIX = 'cur_';
const NUMBER_LENGTH = 8;
const TAG_LENGTH = 4;

/** The list is any name that no other list has. */
export interface NumberedList {
  readonly idKey: IdKey;
  readonly list: string;
}

/**
 * Returns a cursor that does not show the number of rows of the installation. Each list has its own permutation, so that
 * the numbers of two lists, or of a list and the events, can't be compared.
 */
export function cursorOfNumber(of: NumberedList, number: number): string {
  const key = listKeyOf(of);
  const [text, tag] = (['event', 'delivery'] as const).map((kind) =>
    sequencedId(key, kind, number).slice(idPrefixes[kind].length),
  );
  return `${CURSOR_PREFIX}${text}${tag!.slice(0, TAG_LENGTH)}`;
}

/** Returns undefined for what is not a cursor of the list. */
export function numberOfCursor(of: NumberedList, cursor: string): number | undefined {
  if (!cursor.startsWith(CURSOR_PREFIX)) return undefined;
  const text = cursor.slice(CURSOR_PREFIX.length, CURSOR_PREFIX.length + NUMBER_LENGTH);
  const number = sequenceOf(listKeyOf(of), 'event', idPrefixes.event + text);
  return number !== undefined && cursorOfNumber(of, number) === cursor ? number : undefined;
}

function listKeyOf({ idKey, list }: NumberedList): IdKey {
  return idKeyFrom(hash('sha384', JSON.stringify(['cursors', list, idKey]), 'buffer'));
}

export const invalidCursor = (): InvalidRequest => new InvalidRequest('query.cursor: not a cursor of this list.');
