import { z } from 'zod';
import type { ChannelType } from '../../contract/event-types.ts';
import type { OnCall } from '../client/call-report.ts';
import type { PlatformClient } from '../client/client.ts';
import { everyItem } from '../client/every-item.ts';
import { businessEdges, businessScope } from '../client/oauth-vocabulary.ts';
import { type Grants, idText, unlessRefused } from './grants.ts';

/** More businesses than a person manages. A longer list is cut. */
const MAX_BUSINESSES = 50;
/** Calls at once, because a person waits for the result. */
const PARALLEL_CALLS = 5;

export interface Walk<Item extends z.ZodType> {
  readonly grants: Grants;
  readonly type: ChannelType;
  readonly item: Item;
  readonly query: Readonly<Record<string, string>>;
  readonly token: string;
  readonly signal?: AbortSignal;
  readonly onCall?: OnCall | undefined;
}

/** Returns the accounts of the customer's businesses and of their clients. A business that is refused has none. */
export async function accountsOfBusinesses<Item extends z.ZodType>(
  client: PlatformClient,
  { grants, type, item, query, ...call }: Walk<Item>,
): Promise<z.output<Item>[]> {
  const listed = await unlessRefused(
    everyItem(client, { path: 'me/businesses', item: z.object({ id: idText }), ...call }),
  );
  const named = (grants.granular_scopes ?? []).filter(({ scope }) => scope === businessScope);
  const ids = [...(listed ?? []).map(({ id }) => id), ...named.flatMap(({ target_ids }) => target_ids)];
  const paths = [...new Set(ids)]
    .slice(0, MAX_BUSINESSES)
    .flatMap((id) => businessEdges[type].map((edge) => `${id}/${edge}`));
  const found = await inParallel(paths, (path) => unlessRefused(everyItem(client, { path, query, item, ...call })));
  return found.flatMap((items) => items ?? []);
}

/** Runs a few calls at once, and returns their results in order. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += PARALLEL_CALLS) {
    results.push(...(await Promise.all(items.slice(start, start + PARALLEL_CALLS).map(act))));
  }
  return results;
}
