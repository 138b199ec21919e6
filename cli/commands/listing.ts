import type { Command } from 'commander';
import { parseWholeNumber } from './arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from './omit-undefined.ts';
import type { Column } from '../terminal/output.ts';
import type { Run } from './run.ts';

export interface PageOptions {
  readonly limit?: number;
  readonly all?: boolean;
  readonly cursor?: string;
}

export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface Listing<Name extends string, Item> {
  readonly name: Name;
  readonly columns: readonly Column<Item>[];
  readonly empty: string;
  /** Optional. Prints below the table. */
  readonly explain?: (items: readonly Item[]) => unknown;
  readonly read: (
    query: PageQuery,
  ) => Promise<Readonly<Record<Name, readonly Item[]>> & { readonly nextCursor: string | null }>;
}

const MAX_PAGE = 100;
const DEFAULT_LIMIT = 50;

export function withPages(command: Command): Command {
  return command
    .option('--limit <n>', `maximum number of items (default: ${DEFAULT_LIMIT})`, parseWholeNumber)
    .option('--all', 'fetch all items')
    .option('--cursor <cursor>', 'cursor to continue from');
}

export async function showList<Name extends string, Item>(
  { output, progress }: Run,
  { limit, all = false, cursor }: PageOptions,
  listing: Listing<Name, Item>,
): Promise<void> {
  if (limit === 0) throw usageError('Invalid --limit. Use 1 or more.');
  const wanted = all ? Number.POSITIVE_INFINITY : (limit ?? DEFAULT_LIMIT);
  const items: Item[] = [];
  let next: string | null | undefined = cursor;
  do {
    const page = await listing.read(
      omitUndefined({ limit: Math.min(MAX_PAGE, wanted - items.length), cursor: next ?? undefined }),
    );
    items.push(...page[listing.name]);
    next = page.nextCursor;
    if (next !== null && items.length < wanted) progress.show(`${items.length} items fetched`);
  } while (next !== null && items.length < wanted);
  progress.end();
  if (output.isJson) return output.json({ [listing.name]: items, nextCursor: next });
  if (items.length === 0) return output.note(listing.empty);
  output.table(items, listing.columns);
  listing.explain?.(items);
  if (next !== null) output.note(`More items are available. Use --all or --cursor ${next}.`);
}
