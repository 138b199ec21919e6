import { textParameters } from '../scripted-api/parameters.ts';
import { invalidParameter, Refusal } from '../scripted-api/refusals.ts';
import type { Effect } from '../scripted-api/settle.ts';
import { containerRequest } from './container-request.ts';
import type { PublishQuota } from './quota.ts';
import { mediaRefusals } from './refusals.ts';
import type { MediaCall, MediaScript, MediaSettings } from './script.ts';
import { DAY_MS, statusOf, type Container, type ContainerRequest, type MediaStore, type Post } from './store.ts';

export interface MediaState {
  readonly store: MediaStore;
  readonly script: MediaScript;
  readonly quota: PublishQuota;
  readonly nowMs: () => number;
  readonly otherPosts: () => readonly Post[];
  readonly isPage: (id: string) => boolean;
}

export function createContainer({ store, script, nowMs: clock }: MediaState, call: MediaCall): Effect {
  const nowMs = clock();
  const { subject, target } = call;
  const account = target.id;
  const request = containerRequest(account, textParameters(call.parameters));
  for (const id of request.children) checkChild(store.container(id), { account, nowMs });
  const { containerLimit, processing } = script.settings();
  const today = store.containers().filter((each) => each.account === account && nowMs - each.createdAtMs < DAY_MS);
  if (today.length >= containerLimit) throw new Refusal(mediaRefusals.createQuota);

  const outcome = script.takeOutcome(subject);
  const { id } = store.add({
    ...request,
    childIndex: subject.childIndex ?? null,
    createdAtMs: nowMs,
    readyAtMs: nowMs + (outcome?.processingMs ?? processingTime(processing, request)),
    errorSubcode: outcome?.subcode ?? null,
  });
  return { body: { id }, madeId: id };
}

export function publishContainer({ store, script, quota, nowMs: clock }: MediaState, call: MediaCall): Effect {
  const nowMs = clock();
  const account = call.target.id;
  const creationId = textParameters(call.parameters).get('creation_id');
  if (creationId === undefined) throw invalidParameter('The parameter creation_id is required.');
  const container = store.container(creationId);
  if (container?.account !== account) throw new Refusal(mediaRefusals.notFound);
  if (container.isCarouselItem) throw invalidParameter('A carousel item cannot be published by itself.');
  checkPublishable(container, nowMs);
  if (quota.used(account, nowMs) >= script.settings().quota.total) throw new Refusal(mediaRefusals.publishQuota);
  const { id } = store.publish(container, nowMs);
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

function checkChild(child: Container | undefined, { account, nowMs }: { account: string; nowMs: number }): void {
  if (child?.account !== account) throw new Refusal(mediaRefusals.notFound);
  if (!child.isCarouselItem) throw invalidParameter(`The child ${child.id} was not created with is_carousel_item.`);
  const status = statusOf(child, nowMs);
  if (status === 'EXPIRED') throw new Refusal(mediaRefusals.expired);
  if (status !== 'FINISHED') throw new Refusal(mediaRefusals.notReady);
}

function processingTime(processing: MediaSettings['processing'], { mediaType, parameters }: ContainerRequest): number {
  if (mediaType === 'CAROUSEL') return processing.carouselMs;
  return 'video_url' in parameters ? processing.videoMs : processing.imageMs;
}
