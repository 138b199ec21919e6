import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from './omit-undefined.ts';
import type { View } from '../terminal/output.ts';
import type { Run } from './run.ts';

export interface PageOptions {
  readonly limit?: number | undefined;
  readonly all?: boolean | undefined;
  readonly cursor?: string | undefined;
}

export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** A list under its name. */
export interface Page {
  readonly nextCursor: string | null;
}
export type ItemOf<Body> = {
  [Name in keyof Body]-?: Body[Name] extends readonly (infer Item)[] ? Item : never;
}[keyof Body];

export interface Listing<Body extends Page> {
  readonly columns: View<ItemOf<Body>>;
  /** Optional. What is said about an empty list. Default: made from its name. */
  readonly empty?: string;
  /** Optional. Prints below the table. */
  readonly explain?: (items: readonly ItemOf<Body>[]) => void;
  readonly read: (query: PageQuery) => Promise<Body>;
}

const MAX_PAGE = 100;
const DEFAULT_LIMIT = 50;

export async function showList<Body extends Page>(
  run: Run,
  options: PageOptions,
  { columns, empty, explain, read }: Listing<Body>,
): Promise<void> {
  const { output } = run;
  const { name, items, nextCursor } = await readItems(run, options, read);
  if (output.isJson) return output.json({ [name]: items, nextCursor });
  if (items.length === 0) return output.note(empty ?? `No ${wordsOf(name)} found.`);
  output.table(items, columns);
  explain?.(items);
  if (nextCursor !== null) output.note(`More items are available. Use --all or --cursor ${nextCursor}.`);
}

async function readItems<Body extends Page>(
  { progress }: Run,
  { limit, all, cursor }: PageOptions,
  read: Listing<Body>['read'],
) {
  if (limit === 0) throw usageError('Invalid --limit. Use 1 or more.');
  const wanted = all ? Number.POSITIVE_INFINITY : (limit ?? DEFAULT_LIMIT);
  const items: ItemOf<Body>[] = [];
  let next = cursor;
  for (;;) {
    const page = await read(omitUndefined({ limit: Math.min(MAX_PAGE, wanted - items.length), cursor: next }));
    const { nextCursor } = page;
    const [name = '', records = []] = Object.entries(page).find(([, value]) => Array.isArray(value)) ?? [];
    items.push(...(records as ItemOf<Body>[]));
    if (nextCursor === null || items.length >= wanted) {
      progress.end();
      return { name, items, nextCursor };
    }
    progress.show(`${items.length} items fetched`);
    next = nextCursor;
  }
}

function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
