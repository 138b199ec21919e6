import { containerNode, mediaNode, picked } from './fields.ts';
import type { MediaState } from './effects.ts';
import type { MediaParameters } from '../scripted-api/parameters.ts';
import { invalidParameter, MediaRefusal, missingObject, refusals } from '../scripted-api/refusals.ts';
import { DAY_MS, type Post } from './store.ts';
import type { MediaTarget } from './subject.ts';

export interface MediaRead {
  readonly target: MediaTarget;
  readonly parameters: MediaParameters;
  readonly nowMs: number;
  /** Of the list's address, without a query. */
  readonly url: string;
  readonly token: string;
}

const PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 100;

export function readContainer({ store }: MediaState, { target, parameters, nowMs }: MediaRead) {
  const container = store.container(target.id);
  if (!container) throw new MediaRefusal(refusals.notFound);
  return picked(containerNode(container, nowMs), parameters.get('fields'));
}

export function readMedia({ store }: MediaState, { target, parameters }: MediaRead) {
  const post = store.post(target.id);
  if (!post) throw missingObject(target.id);
  return picked(mediaNode(post), parameters.get('fields'));
}

export function readQuota({ script, quota }: MediaState, { target, parameters, nowMs }: MediaRead) {
  const quota_usage = quota.used(target.id, nowMs);
  const config = { quota_total: script.settings().quota.total, quota_duration: DAY_MS / 1000 };
  const fields = picked({ id: target.id, config, quota_usage }, parameters.get('fields') ?? 'quota_usage');
  // The one node here that has no id.
  return { data: [Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'id'))] };
}

/** The account's posts, newest first and page by page; stories have a list of their own, for their 24 hours. */
export function listMedia({ store, otherPosts }: MediaState, read: MediaRead) {
  const { target, parameters, nowMs } = read;
  const posts = [...otherPosts(), ...store.posts()]
    .filter((post) => post.account === target.id && (post.mediaType === 'STORIES') === target.isStories)
    .filter((post) => !target.isStories || nowMs - post.postedAtMs < DAY_MS)
    .reverse();
  const size = pageSize(parameters.get('limit'));
  const start = pageStart(posts, parameters.get('after'));
  const page = posts.slice(start, start + size);
  const [first] = page;
  const last = page.at(-1);
  const data = page.map((post) => picked(mediaNode(post), parameters.get('fields')));
  if (!first || !last) return { data };
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  const hasNext = start + size < posts.length;
  return { data, paging: { cursors, ...(hasNext && { next: nextUrl(read, { size, after: cursors.after }) }) } };
}

function pageSize(limit: string | undefined): number {
  if (limit === undefined) return PAGE_SIZE;
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw invalidParameter('Param limit must be an integer from 1 on.');
  return Math.min(Number(limit), MAX_PAGE_SIZE);
}

function pageStart(posts: readonly Post[], after: string | undefined): number {
  if (after === undefined) return 0;
  const index = posts.findIndex((post) => cursorOf(post) === after);
  if (index < 0) throw invalidParameter('Invalid cursors values.');
  return index + 1;
}

function cursorOf({ id }: Post): string {
  return Buffer.from(id).toString('base64url');
}

/** The platform's own habit: the next page's address carries the token. */
function nextUrl({ url, token, parameters }: MediaRead, { size, after }: { size: number; after: string }): string {
  const fields = parameters.get('fields');
  const query = { access_token: token, ...(fields !== undefined && { fields }), limit: String(size), after };
  return `${url}?${new URLSearchParams(query).toString()}`;
}
