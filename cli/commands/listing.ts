import type { Command } from 'commander';
import { wholeNumber } from './arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { given } from './given.ts';
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
  /** What the API calls the list. */
  readonly name: Name;
  readonly columns: readonly Column<Item>[];
  /** Said where there is nothing. */
  readonly empty: string;
  readonly read: (
    query: PageQuery,
  ) => Promise<Readonly<Record<Name, readonly Item[]>> & { readonly nextCursor: string | null }>;
}

const MAX_PAGE = 100;
const DEFAULT_LIMIT = 50;

export function withPages(command: Command): Command {
  return command
    .option('--limit <n>', `how many at most (${DEFAULT_LIMIT} unless given)`, wholeNumber)
    .option('--all', 'all there are, page after page')
    .option('--cursor <cursor>', 'go on where an earlier list ended');
}

/** Reads as many pages as it takes, and shows them as one list. */
export async function showList<Name extends string, Item>(
  { output, progress }: Run,
  { limit, all = false, cursor }: PageOptions,
  listing: Listing<Name, Item>,
): Promise<void> {
  if (limit === 0) throw usageError('--limit must be at least 1.');
  const wanted = all ? Number.POSITIVE_INFINITY : (limit ?? DEFAULT_LIMIT);
  const items: Item[] = [];
  let next: string | null | undefined = cursor;
  do {
    const page = await listing.read(
      given({ limit: Math.min(MAX_PAGE, wanted - items.length), cursor: next ?? undefined }),
    );
    items.push(...page[listing.name]);
    next = page.nextCursor;
    if (next !== null && items.length < wanted) progress.show(`${items.length} so far`);
  } while (next !== null && items.length < wanted);
  progress.end();
  if (output.isJson) return output.json({ [listing.name]: items, nextCursor: next });
  if (items.length === 0) return output.note(listing.empty);
  output.table(items, listing.columns);
  if (next !== null) output.note(`There are more: --all, or --cursor ${next}`);
}
