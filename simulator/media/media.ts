import { type ContentStore, type PostObject } from '../content/objects/store.ts';
import { createScriptedApi, findCall, objectAddress, type ReadCall, type ScriptedApi } from '../scripted-api/api.ts';
import type { Answering } from '../scripted-api/control.ts';
import { textParameters } from '../scripted-api/parameters.ts';
import { sendHtml } from '../servers/html.ts';
import { mediaCalls, publishedPosts, type MediaState } from './calls.ts';
import { requestedMediaType } from './container-request.ts';
import {
  createMediaScript,
  mediaControl,
  type MediaControl,
  type MediaControlInput,
  type MediaFault,
  type MediaSubject,
  type MediaTypes,
  type ProcessingTimes,
} from './control.ts';
import { mediaPage } from './page.ts';
import { createContainerStore, statusOf, type Container, type ContainerStore, type StatusCode } from './store.ts';

/**
 * The platform's media API. Containers are processed for a while, then published once or expire. `/control/media`
 * scripts it; the page at `GET /media` lists the contents.
 */
export interface MediaApi extends ScriptedApi<MediaControlInput> {
  /** Returns the faults that are not used up. */
  readonly faults: () => readonly MediaFault[];
  readonly containers: () => MediaContainer[];
  /** Published from containers, oldest first. */
  readonly posts: () => PostObject[];
}

export interface MediaContainer extends Container {
  readonly statusCode: StatusCode;
}

export interface MediaOptions {
  readonly now?: () => number;
  readonly processing?: Partial<ProcessingTimes>;
}

interface MediaNeeds extends MediaOptions {
  readonly appSecret: string;
  readonly store: ContentStore;
}

const ID = /^\d{1,40}$/;

export function createMedia({ appSecret, store, now: clock = Date.now, processing }: MediaNeeds) {
  const containers = createContainerStore();
  const script = createMediaScript(processing);
  const nowMs = (): number => clock() + script.settings().clockOffsetSeconds * 1000;
  const state: MediaState = { containers, store, script, nowMs };
  const calls = mediaCalls(state);
  const posts = () => publishedPosts(store);
  const accountOf = (id: string): string | null =>
    containers.find(id)?.account ?? store.get('post', id)?.accountId ?? null;
  const shown = (): MediaContainer[] =>
    containers.list().map((container) => ({ ...container, statusCode: statusOf(container, nowMs()) }));

  const api = createScriptedApi<MediaTypes, MediaControl>({
    appSecret,
    script,
    control: {
      path: '/control/media',
      schema: mediaControl,
      apply: script.control,
      reset() {
        containers.clear();
        for (const post of posts()) store.remove(post);
      },
      contents: () => ({ now: new Date(nowMs()).toISOString(), containers: shown(), posts: posts() }),
    },
    bodies: { maxBytes: 64 * 1024, hasJsonForms: false },
    find(incoming) {
      const address = objectAddress(incoming);
      if (!address || !ID.test(address.id)) return undefined;
      const { id, edge } = address;
      return findCall(calls, { ...address, account: edge === '' ? accountOf(id) : id });
    },
    subjectOf: (call) => subjectOf(containers, store, call),
  });

  const answer: Answering = async (request, response) => {
    if (request.method !== 'GET' || !/^\/media(?:\?|$)/.test(request.url ?? ''))
      return await api.answer(request, response);
    sendHtml(response, 200, { html: mediaPage({ containers: containers.list(), posts: posts(), nowMs: nowMs() }) });
    return true;
  };

  return { ...api, answer, faults: () => script.settings().faults, containers: shown, posts } satisfies MediaApi & {
    answer: Answering;
  };
}

function subjectOf(
  containers: ContainerStore,
  store: ContentStore,
  { at, target: { account, id }, parameters }: ReadCall<MediaTypes>,
): MediaSubject {
  const texts = textParameters(parameters);
  if (at === 'create') {
    const isCarouselItem = /^(?:true|1)$/i.test(texts.get('is_carousel_item') ?? '');
    return { account, mediaType: requestedMediaType(texts), isCarouselItem, urlIncludes: someUrlOf(texts) };
  }
  const containerId = at === 'publish' ? texts.get('creation_id') : (store.get('post', id)?.containerId ?? id);
  const container = containers.find(containerId ?? '');
  if (!container) return { account };
  const { mediaType, isCarouselItem } = container;
  const urlIncludes = someUrlOf(new Map(Object.entries(container.parameters)));
  return { account, mediaType, isCarouselItem, urlIncludes };
}

function someUrlOf(parameters: ReadonlyMap<string, string>): (part: unknown) => boolean {
  const urls = ['image_url', 'video_url', 'cover_url'].flatMap((name) => parameters.get(name) ?? []);
  return (part) => urls.some((url) => url.includes(String(part)));
}
