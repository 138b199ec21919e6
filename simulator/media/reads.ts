import { pageSize, positionOf } from '../scripted-api/paging.ts';
import { textParameters } from '../scripted-api/parameters.ts';
import { missingObject, Refusal } from '../scripted-api/refusals.ts';
import { containerNode, mediaNode, selectFields } from './fields.ts';
import type { MediaState } from './publishing.ts';
import { mediaRefusals } from './refusals.ts';
import type { MediaCall } from './script.ts';
import { DAY_MS, type Post } from './store.ts';

export function readContainer({ store, script, nowMs }: MediaState, { target, parameters }: MediaCall) {
  const container = store.container(target.id);
  if (!container) throw new Refusal(mediaRefusals.notFound);
  const { reads } = script.settings();
  if (reads === 'missing') throw missingObject(target.id);
  const { status_code, ...others } = containerNode(container, nowMs());
  const node = { ...others, status_code: reads === 'no_code' ? undefined : status_code };
  return { body: selectFields(node, textParameters(parameters).get('fields')) };
}

export function readMedia({ store, script }: MediaState, { target, parameters }: MediaCall) {
  const post = store.post(target.id);
  if (!post || script.settings().reads === 'missing') throw missingObject(target.id);
  return { body: selectFields(mediaNode(post), textParameters(parameters).get('fields')) };
}

export function readQuota({ script, quota, nowMs }: MediaState, { target, parameters }: MediaCall) {
  const quota_usage = quota.used(target.id, nowMs());
  const config = { quota_total: script.settings().quota.total, quota_duration: DAY_MS / 1000 };
  const wanted = textParameters(parameters).get('fields') ?? 'quota_usage';
  const { id: _id, ...fields } = selectFields({ id: target.id, config, quota_usage }, wanted);
  return { body: { data: [fields] } };
}

export function listMedia({ store, otherPosts, nowMs }: MediaState, call: MediaCall) {
  const { id, edge } = call.target;
  const parameters = textParameters(call.parameters);
  const isStories = edge === 'stories';
  const posts = [...otherPosts(), ...store.posts()]
    .filter((post) => post.account === id && (post.mediaType === 'STORIES') === isStories)
    .filter((post) => !isStories || nowMs() - post.postedAtMs < DAY_MS)
    .reverse();
  const size = pageSize(parameters.get('limit'));
  const after = parameters.get('after');
  const start = after === undefined ? 0 : positionOf(posts, after, cursorOf) + 1;
  const page = posts.slice(start, start + size);
  const [first] = page;
  const last = page.at(-1);
  const data = page.map((post) => selectFields(mediaNode(post), parameters.get('fields')));
  if (!first || !last) return { body: { data } };
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  const hasNext = start + size < posts.length;
  return {
    body: { data, paging: { cursors, ...(hasNext && { next: nextUrl(call, { size, after: cursors.after }) }) } },
  };
}

function cursorOf({ id }: Post): string {
  return Buffer.from(id).toString('base64url');
}

function nextUrl(
  { target, origin, token, parameters }: MediaCall,
  { size, after }: { size: number; after: string },
): string {
  const fields = textParameters(parameters).get('fields');
  const query = { access_token: token, ...(fields !== undefined && { fields }), limit: String(size), after };
  return `${origin}${target.url.pathname}?${new URLSearchParams(query).toString()}`;
}
