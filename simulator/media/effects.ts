import type { MediaParameters } from '../scripted-api/parameters.ts';
import { containerRequest } from './container-request.ts';
import { invalidParameter, MediaRefusal, refusals } from '../scripted-api/refusals.ts';
import type { MediaScript, MediaSettings } from './script.ts';
import { addressesIn } from './subject.ts';
import { DAY_MS, statusOf, type Container, type ContainerRequest, type MediaStore, type Post } from './store.ts';

export interface MediaState {
  readonly store: MediaStore;
  readonly script: MediaScript;
  readonly quota: PublishQuota;
  readonly otherPosts: () => readonly Post[];
}

/** A call that changes something, once it is let through. */
export interface MediaEffect {
  readonly account: string;
  readonly parameters: MediaParameters;
  readonly childIndex: number | null;
  readonly nowMs: number;
}

/** How many posts an account has used up of its day. */
export interface PublishQuota {
  used(account: string, nowMs: number): number;
}

/** Makes a container, or refuses it as the platform does. */
export function createContainer({ store, script }: MediaState, effect: MediaEffect): Container {
  const { account, parameters, childIndex, nowMs } = effect;
  const request = containerRequest(account, parameters);
  for (const id of request.children) checkChild(store.container(id), { account, nowMs });
  const { containerLimit, processing } = script.settings();
  const today = store.containers().filter((each) => each.account === account && nowMs - each.createdAtMs < DAY_MS);
  if (today.length >= containerLimit) throw new MediaRefusal(refusals.createQuota);

  const { mediaType, isCarouselItem } = request;
  const urls = addressesIn(parameters);
  const outcome = script.takeOutcome({ account, mediaType, isCarouselItem, childIndex, urls });
  const processingMs = outcome?.processingMs ?? processingTime(processing, request);
  return store.add({
    ...request,
    childIndex,
    createdAtMs: nowMs,
    readyAtMs: nowMs + processingMs,
    errorSubcode: outcome?.subcode ?? null,
  });
}

/** Publishes a finished container once. */
export function publishContainer({ store, script, quota }: MediaState, effect: MediaEffect): string {
  const { account, parameters, nowMs } = effect;
  const creationId = parameters.get('creation_id');
  if (creationId === undefined) throw invalidParameter('The parameter creation_id is required.');
  const container = store.container(creationId);
  if (container?.account !== account) throw new MediaRefusal(refusals.notFound);
  if (container.isCarouselItem) throw invalidParameter('A carousel item cannot be published by itself.');
  switch (statusOf(container, nowMs)) {
    case 'EXPIRED':
      throw new MediaRefusal(refusals.expired);
    case 'PUBLISHED':
      throw new MediaRefusal(refusals.alreadyPublished);
    case 'ERROR':
    case 'IN_PROGRESS':
      throw new MediaRefusal(refusals.notReady);
    case 'FINISHED':
      break;
  }
  if (quota.used(account, nowMs) >= script.settings().quota.total) throw new MediaRefusal(refusals.publishQuota);
  return store.publish(container, nowMs).id;
}

function checkChild(child: Container | undefined, { account, nowMs }: { account: string; nowMs: number }): void {
  if (child?.account !== account) throw new MediaRefusal(refusals.notFound);
  if (!child.isCarouselItem) throw invalidParameter(`The child ${child.id} was not created with is_carousel_item.`);
  const status = statusOf(child, nowMs);
  if (status === 'EXPIRED') throw new MediaRefusal(refusals.expired);
  if (status !== 'FINISHED') throw new MediaRefusal(refusals.notReady);
}

function processingTime(processing: MediaSettings['processing'], { mediaType, parameters }: ContainerRequest): number {
  if (mediaType === 'CAROUSEL') return processing.carouselMs;
  return 'video_url' in parameters ? processing.videoMs : processing.imageMs;
}
