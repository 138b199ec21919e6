interface Page {
  readonly nextCursor: string | null;
}

/** Yields all records, fetching pages on demand. */
export async function* records<Body extends Page, Item>(
  readPage: (cursor: string | undefined) => Promise<Body>,
  itemsOf: (page: Body) => readonly Item[],
): AsyncGenerator<Item> {
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    yield* itemsOf(page);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

export async function everyRecord<Body extends Page, Item>(...list: Parameters<typeof records<Body, Item>>) {
  const all: Item[] = [];
  for await (const record of records(...list)) all.push(record);
  return all;
}
