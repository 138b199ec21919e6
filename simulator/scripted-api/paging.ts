import { invalidParameter } from './refusals.ts';

const PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 100;
/** Not in links to other pages. */
const unlinked: ReadonlySet<string> = new Set(['access_token', 'appsecret_proof', 'after', 'before']);

interface Paging<Item> {
  readonly parameters: ReadonlyMap<string, string>;
  /** Address of the list. */
  readonly url: string;
  readonly token: string;
  readonly present: (item: Item) => unknown;
}

/** Returns a page by the parameters `limit`, `after` and `before`. Links contain host and token, as on the platform. */
export function pageOf<Item extends { readonly id: string }>(items: readonly Item[], paging: Paging<Item>) {
  const { parameters, url, token, present } = paging;
  const size = pageSize(parameters.get('limit'));
  const { start, end } = boundsOf(items, { size, after: parameters.get('after'), before: parameters.get('before') });
  const page = items.slice(start, end);
  const [first] = page;
  const last = page.at(-1);
  if (!first || !last) return { data: [] };
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  const kept = Object.fromEntries([...parameters].filter(([name]) => !unlinked.has(name)));
  const link = (cursor: Readonly<Record<string, string>>): string =>
    `${url}?${new URLSearchParams({ access_token: token, ...kept, limit: String(size), ...cursor }).toString()}`;
  return {
    data: page.map(present),
    paging: {
      cursors,
      ...(end < items.length && { next: link({ after: cursors.after }) }),
      ...(start > 0 && { previous: link({ before: cursors.before }) }),
    },
  };
}

function pageSize(limit: string | undefined): number {
  if (limit === undefined) return PAGE_SIZE;
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw invalidParameter('Param limit must be an integer from 1 on.');
  return Math.min(Number(limit), MAX_PAGE_SIZE);
}

interface Window {
  readonly size: number;
  readonly after: string | undefined;
  readonly before: string | undefined;
}

function boundsOf(items: readonly { readonly id: string }[], { size, after, before }: Window) {
  if (after === undefined && before !== undefined) {
    const end = positionOf(items, before);
    return { start: Math.max(0, end - size), end };
  }
  const start = after === undefined ? 0 : positionOf(items, after) + 1;
  return { start, end: start + size };
}

function positionOf(items: readonly { readonly id: string }[], cursor: string): number {
  const index = items.findIndex((item) => cursorOf(item) === cursor);
  if (index < 0) throw invalidParameter('Invalid cursors values.');
  return index;
}

function cursorOf({ id }: { readonly id: string }): string {
  return Buffer.from(`c.${id}`).toString('base64url');
}
