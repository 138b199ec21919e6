import type { MediaStep } from './control.ts';
import type { MediaParameters } from '../scripted-api/parameters.ts';
import { askedMediaType } from './container-request.ts';
import type { MediaSubject } from './script.ts';
import { looksLikeContainer, type Container, type MediaStore } from './store.ts';

/** Where a call goes: what it is for and whose it is. */
export interface MediaTarget {
  readonly at: MediaStep;
  /** Null: an object that is not known. */
  readonly account: string | null;
  /** The id in the address: an account, a container or a post. */
  readonly id: string;
  readonly isStories: boolean;
}

const ADDRESS = /^\/v\d+\.\d+\/(\d{1,40})(?:\/(media|media_publish|stories|content_publishing_limit))?$/;

/** Undefined for an address that is not the media side's. */
export function targetOf(
  store: MediaStore,
  call: { method?: string | undefined; path: string; fields?: string | null },
): MediaTarget | undefined {
  const [, id, edge] = ADDRESS.exec(call.path) ?? [];
  if (id === undefined) return undefined;
  const ofAccount = (at: MediaStep): MediaTarget => ({ at, account: id, id, isStories: edge === 'stories' });
  switch (`${call.method} ${edge ?? ''}`) {
    case 'POST media':
      return ofAccount('create');
    case 'POST media_publish':
      return ofAccount('publish');
    case 'GET media':
    case 'GET stories':
      return ofAccount('list');
    case 'GET content_publishing_limit':
      return ofAccount('quota');
    case 'GET ':
      return ofObject(store, { id, fields: call.fields ?? null });
    default:
      return undefined;
  }
}

/** Containers, and the addresses of posts; whatever else is asked of a post is for whoever keeps what is said on it. */
function ofObject(
  store: MediaStore,
  { id, fields }: { readonly id: string; readonly fields: string | null },
): MediaTarget | undefined {
  const container = store.container(id);
  if (container || looksLikeContainer(id)) {
    return { at: 'status', account: container?.account ?? null, id, isStories: false };
  }
  const account = store.post(id)?.account;
  if (account === undefined || fields !== 'permalink') return undefined;
  return { at: 'permalink', account, id, isStories: false };
}

/** What the call is about, for a script to find it by. */
export function subjectOf(
  store: MediaStore,
  target: MediaTarget,
  { parameters, childIndex }: { parameters: MediaParameters; childIndex: number | null },
): MediaSubject {
  const { at, account, id } = target;
  switch (at) {
    case 'create': {
      const isCarouselItem = isChildCall(parameters);
      return {
        account,
        mediaType: askedMediaType(parameters),
        isCarouselItem,
        childIndex,
        urls: addressesIn(parameters),
      };
    }
    case 'publish':
      return ofContainer(account, store.container(parameters.get('creation_id') ?? ''));
    case 'status':
      return ofContainer(account, store.container(id));
    case 'permalink':
      return ofContainer(account, store.container(store.post(id)?.containerId ?? ''));
    case 'list':
    case 'quota':
      return { account };
  }
}

export function isChildCall(parameters: MediaParameters): boolean {
  return /^(?:true|1)$/i.test(parameters.get('is_carousel_item') ?? '');
}

export function addressesIn(parameters: MediaParameters): string[] {
  return ['image_url', 'video_url', 'cover_url'].flatMap((name) => parameters.get(name) ?? []);
}

function ofContainer(account: string | null, container: Container | undefined): MediaSubject {
  if (!container) return { account };
  const { mediaType, isCarouselItem, childIndex, parameters } = container;
  return { account, mediaType, isCarouselItem, childIndex, urls: addressesIn(new Map(Object.entries(parameters))) };
}
