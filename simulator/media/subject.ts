import type { ReadCall } from '../scripted-api/api.ts';
import { textParameters } from '../scripted-api/parameters.ts';
import { requestedMediaType } from './container-request.ts';
import type { MediaSubject, MediaTypes } from './script.ts';
import type { Container, MediaStore } from './store.ts';

type MediaRead = ReadCall<MediaTypes>;
type Parameters = ReadonlyMap<string, string>;

export interface MediaSubjects {
  /** Counts carousel items, so call it once for each call. */
  of(call: MediaRead): MediaSubject;
  restartChildren(): void;
}

export function createMediaSubjects(store: MediaStore): MediaSubjects {
  const childCounts = new Map<string, number>();

  function nextChildIndex(account: string | null, isCarouselItem: boolean): number | null {
    if (account === null) return null;
    const index = childCounts.get(account) ?? 0;
    if (isCarouselItem) childCounts.set(account, index + 1);
    else childCounts.delete(account);
    return isCarouselItem ? index : null;
  }

  return {
    restartChildren: () => childCounts.clear(),
    of({ at, target: { account, id }, parameters }) {
      const texts = textParameters(parameters);
      switch (at) {
        case 'create': {
          const isCarouselItem = /^(?:true|1)$/i.test(texts.get('is_carousel_item') ?? '');
          const childIndex = nextChildIndex(account, isCarouselItem);
          const urlIncludes = someUrlOf(texts);
          return { account, mediaType: requestedMediaType(texts), isCarouselItem, childIndex, urlIncludes };
        }
        case 'publish':
          return ofContainer(account, store.container(texts.get('creation_id') ?? ''));
        case 'status':
          return ofContainer(account, store.container(id));
        case 'permalink':
          return ofContainer(account, store.container(store.post(id)?.containerId ?? ''));
        case 'list':
        case 'quota':
          return { account };
      }
    },
  };
}

function ofContainer(account: string | null, container: Container | undefined): MediaSubject {
  if (!container) return { account };
  const { mediaType, isCarouselItem, childIndex, parameters } = container;
  const urlIncludes = someUrlOf(new Map(Object.entries(parameters)));
  return { account, mediaType, isCarouselItem, childIndex, urlIncludes };
}

function someUrlOf(parameters: Parameters): (part: unknown) => boolean {
  const urls = ['image_url', 'video_url', 'cover_url'].flatMap((name) => parameters.get(name) ?? []);
  return (part) => urls.some((url) => url.includes(String(part)));
}
