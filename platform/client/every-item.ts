import { z } from 'zod';
import type { OnCall } from './call-report.ts';
import type { PlatformClient } from './client.ts';

const PAGE_SIZE = '100';
/** At most 1,000 items; one page cannot offer more. */
const MAX_PAGES = 10;

interface ListCall<Item extends z.ZodType> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly token: string;
  readonly signal?: AbortSignal;
  readonly onCall?: OnCall | undefined;
  readonly item: Item;
}

/** Reads all pages of a list. Uses cursors instead of the URL in `paging.next`. */
export async function everyItem<Item extends z.ZodType>(
  client: PlatformClient,
  { item, query, ...call }: ListCall<Item>,
): Promise<z.output<Item>[]> {
  const list = z.object({
    data: z.array(item),
    paging: z
      .object({ next: z.string().optional(), cursors: z.object({ after: z.string().optional() }).optional() })
      .optional(),
  });
  const items: z.output<Item>[] = [];
  let after: string | undefined;
  for (let pageNumber = 0; pageNumber < MAX_PAGES; pageNumber++) {
    const position = after === undefined ? {} : { after };
    const { data, paging } = await client.read(list, { ...call, query: { ...query, limit: PAGE_SIZE, ...position } });
    items.push(...data);
    after = paging?.next === undefined ? undefined : paging.cursors?.after;
    if (after === undefined) break;
  }
  return items;
}
