import { presentNode, readingOf } from '../content/objects/fields.ts';
import { newestFirst, photoMediaNode } from '../content/objects/photoapp-nodes.ts';
import { newPost, type ContentStore, type PostObject } from '../content/objects/store.ts';
import type { CallTable, Target } from '../scripted-api/api.ts';
import { pageOf } from '../scripted-api/paging.ts';
import { textParameters } from '../scripted-api/parameters.ts';
import { invalidParameter, missingObject, Refusal } from '../scripted-api/refusals.ts';
import type { Effect } from '../scripted-api/settle.ts';
import { containerRequest } from './container-request.ts';
import type { MediaCall, MediaScript, MediaTypes } from './control.ts';
import { mediaRefusals } from './refusals.ts';
import { DAY_MS, looksLikeContainer, statusOf, type Container, type ContainerStore, type StatusCode } from './store.ts';

export interface MediaState {
  readonly containers: ContainerStore;
  readonly store: ContentStore;
  readonly script: MediaScript;
  readonly nowMs: () => number;
}

/** In 24 hours. */
const MAX_CONTAINERS = 400;
const MAX_POSTS = 100;

export function mediaCalls(state: MediaState): CallTable<MediaTypes> {
  const { containers, store } = state;
  const isContainer = ({ id }: Target): boolean => containers.find(id) !== undefined || looksLikeContainer(id);
  // The content API answers all other reads of a post.
  const isPermalink = ({ id, url }: Target): boolean =>
    store.get('post', id)?.containerId != null && url.searchParams.get('fields') === 'permalink';
  const isPage = (id: string): boolean => store.get('account', id)?.product === 'pageapp';

  return {
    'POST media': { at: 'create', perform: (call) => createContainer(state, call) },
    'POST media_publish': { at: 'publish', perform: (call) => publishContainer(state, call) },
    'GET ': [
      { at: 'status', isFor: isContainer, perform: (call) => readContainer(state, call) },
      { at: 'permalink', isFor: isPermalink, perform: (call) => readMedia(state, call) },
    ],
    'GET media': { at: 'list', perform: (call) => listMedia(state, call) },
    'GET stories': { at: 'list', isFor: ({ id }) => !isPage(id), perform: (call) => listMedia(state, call) },
    'GET content_publishing_limit': { at: 'quota', perform: (call) => readQuota(state, call) },
  };
}

/** Oldest first. */
export function publishedPosts(store: ContentStore): PostObject[] {
  return store.all('post').filter(({ containerId }) => containerId !== null);
}

function createContainer({ containers, script, nowMs: clock }: MediaState, call: MediaCall): Effect {
  const nowMs = clock();
  const account = call.target.id;
  const request = containerRequest(account, textParameters(call.parameters));
  for (const id of request.children) checkChild(containers.find(id), { account, nowMs });
  const today = containers.list().filter((each) => each.account === account && nowMs - each.createdAtMs < DAY_MS);
  if (today.length >= MAX_CONTAINERS) throw new Refusal(mediaRefusals.createQuota);

  const { imageMs, videoMs, carouselMs } = script.settings().processing;
  const processingMs = 'video_url' in request.parameters ? videoMs : imageMs;
  const { id } = containers.add({
    ...request,
    createdAtMs: nowMs,
    readyAtMs: nowMs + (request.mediaType === 'CAROUSEL' ? carouselMs : processingMs),
    errorSubcode: script.takeOutcome(call.subject)?.subcode ?? null,
  });
  return { body: { id }, madeId: id };
}

function checkChild(child: Container | undefined, { account, nowMs }: { account: string; nowMs: number }): void {
  if (child?.account !== account) throw new Refusal(mediaRefusals.notFound);
  if (!child.isCarouselItem) throw invalidParameter(`The child ${child.id} was not created with is_carousel_item.`);
  const status = statusOf(child, nowMs);
  if (status === 'EXPIRED') throw new Refusal(mediaRefusals.expired);
  if (status !== 'FINISHED') throw new Refusal(mediaRefusals.notReady);
}

function publishContainer(state: MediaState, call: MediaCall): Effect {
  const { containers, store } = state;
  const nowMs = state.nowMs();
  const account = call.target.id;
  const creationId = textParameters(call.parameters).get('creation_id');
  if (creationId === undefined) throw invalidParameter('The parameter creation_id is required.');
  const container = containers.find(creationId);
  if (container?.account !== account) throw new Refusal(mediaRefusals.notFound);
  if (container.isCarouselItem) throw invalidParameter('A carousel item cannot be published by itself.');
  checkPublishable(container, nowMs);
  if (usedQuota(state, account) >= MAX_POSTS) throw new Refusal(mediaRefusals.publishQuota);

  const { mediaType, parameters, children } = container;
  const id = containers.publish(container);
  const folder = { STORIES: 'stories', REELS: 'reel' }[String(mediaType)] ?? 'p';
  store.put(
    newPost({
      id,
      product: 'photoapp',
      accountId: account,
      type: mediaType,
      containerId: creationId,
      children,
      text: parameters['caption'] ?? null,
      mediaUrl: parameters['video_url'] ?? parameters['image_url'] ?? null,
      permalink: `https://photoapp.example/${folder}/${id}/`,
      createdAtMs: nowMs,
    }),
  );
  return { body: { id }, madeId: id };
}

function checkPublishable(container: Container, nowMs: number): void {
  switch (statusOf(container, nowMs)) {
    case 'EXPIRED':
      throw new Refusal(mediaRefusals.expired);
    case 'PUBLISHED':
      throw new Refusal(mediaRefusals.alreadyPublished);
    case 'ERROR':
    case 'IN_PROGRESS':
      throw new Refusal(mediaRefusals.notReady);
    case 'FINISHED':
  }
}

const statusTexts: Readonly<Record<StatusCode, string>> = {
  IN_PROGRESS: 'In Progress: Media is still being processed.',
  FINISHED: 'Finished: Media has been uploaded and it is ready to be published.',
  PUBLISHED: 'Published: Media has been successfully published.',
  EXPIRED: 'Expired: Media was not published within 24 hours.',
  ERROR: 'Error: Media upload has failed with error code',
};

function readContainer({ containers, script, nowMs }: MediaState, call: MediaCall): Effect {
  const container = containers.find(call.target.id);
  if (!container) throw new Refusal(mediaRefusals.notFound);
  const { reads } = script.settings();
  if (reads === 'missing') throw missingObject(call.target.id);
  const status = statusOf(container, nowMs());
  const text = status === 'ERROR' ? `${statusTexts.ERROR} ${container.errorSubcode}` : statusTexts[status];
  const fields = { status_code: reads === 'no_code' ? undefined : status, status: text };
  return { body: presentNode({ id: container.id, type: 'Container', defaults: ['id'], fields }, readingOf(call)) };
}

function readMedia({ store, script }: MediaState, call: MediaCall): Effect {
  const post = store.get('post', call.target.id);
  if (!post || script.settings().reads === 'missing') throw missingObject(call.target.id);
  return { body: presentNode(photoMediaNode(store, post), readingOf(call)) };
}

function readQuota(state: MediaState, call: MediaCall): Effect {
  const { id } = call.target;
  const config = { quota_total: MAX_POSTS, quota_duration: DAY_MS / 1000 };
  const fields = { config, quota_usage: usedQuota(state, id) };
  const { id: _id, ...shown } = presentNode({ id, type: 'Limit', defaults: ['quota_usage'], fields }, readingOf(call));
  return { body: { data: [shown] } };
}

function usedQuota({ store, script, nowMs }: MediaState, account: string): number {
  const ownPosts = publishedPosts(store).filter(
    ({ accountId, createdAtMs }) => accountId === account && nowMs() - createdAtMs < DAY_MS,
  );
  return script.settings().otherPosts + ownPosts.length;
}

function listMedia({ store, nowMs }: MediaState, call: MediaCall): Effect {
  const { id, edge, url } = call.target;
  const isStories = edge === 'stories';
  const posts = store
    .all('post')
    .filter((post) => post.accountId === id && (post.type === 'STORIES') === isStories)
    .filter((post) => !isStories || nowMs() - post.createdAtMs < DAY_MS);
  const reading = readingOf(call);
  const { token, parameters } = reading;
  const present = (post: PostObject) => presentNode(photoMediaNode(store, post), reading);
  return {
    body: pageOf(newestFirst(posts), { parameters, url: `${call.origin}${url.pathname}`, token, present }),
  };
}
