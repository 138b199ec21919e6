import { z } from 'zod';
import { text } from './answer-fields.ts';
import type { AccountClient, ObjectCall } from './account-client.ts';

export interface ListQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface ListPage<Item> {
  readonly items: Item[];
  readonly nextCursor: string | null;
}

const DEFAULT_LIMIT = 25;

const paging = z
  .object({ next: text, cursors: z.object({ after: text }).nullish().catch(null) })
  .nullish()
  .catch(null);
export const listAnswer = z.object({ data: z.array(z.unknown()), paging });
type ListAnswer = z.output<typeof listAnswer>;

/** Skips items that cannot be parsed. */
export async function readList<Item extends z.ZodType>(
  client: AccountClient,
  { item, page, query, ...call }: ObjectCall & { readonly item: Item; readonly page: ListQuery },
): Promise<ListPage<z.output<Item>>> {
  const answer = await client.read(listAnswer, { ...call, query: { ...query, ...pageQuery(page) } });
  return { items: itemsOf(answer, item), nextCursor: nextCursorOf(answer) };
}

export function itemsOf<Item extends z.ZodType>({ data }: Pick<ListAnswer, 'data'>, item: Item): z.output<Item>[] {
  return data.flatMap((each) => {
    const result = item.safeParse(each);
    return result.success ? [result.data] : [];
  });
}

export function pageQuery({ limit = DEFAULT_LIMIT, cursor }: ListQuery) {
  return { limit: String(limit), ...(cursor !== undefined && { after: afterOf(cursor) }) };
}

/** Returns a cursor instead of the next page's URL, which contains the token. */
export function nextCursorOf({ paging: found }: Pick<ListAnswer, 'paging'>): string | null {
  if (!found?.next) return null;
  const after = found.cursors?.after ?? afterInAddress(found.next);
  return after === null ? null : Buffer.from(after).toString('base64url');
}

function afterInAddress(next: string): string | null {
  return URL.canParse(next) ? new URL(next).searchParams.get('after') : null;
}

function afterOf(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8');
}
