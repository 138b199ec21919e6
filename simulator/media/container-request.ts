import { z } from 'zod';
import { parseJson } from '../scripted-api/parameters.ts';
import { invalidParameter, Refusal } from '../scripted-api/refusals.ts';
import { mediaRefusals } from './refusals.ts';
import { mediaTypes, type ContainerRequest, type MediaType } from './store.ts';

type MediaParameters = ReadonlyMap<string, string>;

/** Ignores unknown parameters and opens no URLs. */
export function containerRequest(account: string, parameters: MediaParameters): ContainerRequest {
  const isCarouselItem = flag(parameters, 'is_carousel_item');
  const mediaType = mediaTypeOf(parameters, isCarouselItem);
  for (const name of misplaced[mediaType]) {
    if (parameters.has(name)) throw invalidParameter(`The parameter ${name} is not supported here.`);
  }
  if (isCarouselItem && parameters.has('location_id')) {
    throw invalidParameter('The parameter location_id is not supported for carousel items.');
  }
  checkAddresses(mediaType, parameters);
  checkTexts(parameters);
  checkVideo(parameters);
  checkTags(parameters.get('user_tags'), mediaType);
  flag(parameters, 'share_to_feed');
  const kept = known.flatMap((name) => (parameters.has(name) ? [[name, parameters.get(name) ?? '']] : []));
  const children = mediaType === 'CAROUSEL' ? childrenOf(parameters.get('children') ?? '') : [];
  return { account, mediaType, isCarouselItem, parameters: Object.fromEntries(kept), children };
}

export function requestedMediaType(parameters: MediaParameters): MediaType | undefined {
  const requested = parameters.get('media_type');
  return requested === undefined ? 'IMAGE' : mediaTypes.find((type) => type === requested);
}

const known = [
  ...['image_url', 'video_url', 'cover_url', 'media_type', 'caption', 'alt_text', 'thumb_offset', 'share_to_feed'],
  ...['audio_name', 'location_id', 'user_tags', 'trial_params', 'children', 'is_carousel_item'],
];
const misplaced: Readonly<Record<MediaType, readonly string[]>> = {
  IMAGE: ['video_url', 'cover_url', 'thumb_offset', 'audio_name', 'trial_params', 'children'],
  VIDEO: ['image_url', 'alt_text', 'cover_url', 'audio_name', 'trial_params', 'children'],
  REELS: ['image_url', 'alt_text', 'children'],
  STORIES: [
    ...['caption', 'alt_text', 'cover_url', 'thumb_offset', 'share_to_feed', 'audio_name', 'location_id'],
    ...['trial_params', 'children'],
  ],
  CAROUSEL: [
    ...['image_url', 'video_url', 'alt_text', 'cover_url', 'thumb_offset', 'audio_name', 'user_tags', 'trial_params'],
  ],
};

const MAX_URL_LENGTH = 8_192;
const MAX_CAPTION = 2_200;
const MAX_HASHTAGS = 30;
const MAX_MENTIONS = 20;
const MAX_ALT_TEXT = 1_000;
const MAX_THUMB_OFFSET_MS = 15 * 60_000;

function mediaTypeOf(parameters: MediaParameters, isCarouselItem: boolean): MediaType {
  const mediaType = requestedMediaType(parameters);
  // IMAGE is the default and has no name on the wire.
  if (mediaType === undefined || parameters.get('media_type') === 'IMAGE') {
    throw new Refusal(mediaRefusals.unknownType);
  }
  if (mediaType === 'VIDEO' && !isCarouselItem) throw new Refusal(mediaRefusals.singleVideo);
  if (isCarouselItem && mediaType !== 'IMAGE' && mediaType !== 'VIDEO') {
    throw invalidParameter(`A carousel item cannot be ${mediaType}.`);
  }
  return mediaType;
}

function checkAddresses(mediaType: MediaType, parameters: MediaParameters): void {
  const hasImage = parameters.has('image_url');
  if (mediaType === 'IMAGE' && !hasImage) throw invalidParameter('The parameter image_url is required.');
  if ((mediaType === 'REELS' || mediaType === 'VIDEO') && !parameters.has('video_url')) {
    throw invalidParameter('The parameter video_url is required.');
  }
  if (mediaType === 'STORIES' && hasImage === parameters.has('video_url')) {
    throw invalidParameter('Exactly one of the parameters image_url and video_url is required.');
  }
  for (const name of ['image_url', 'video_url', 'cover_url']) {
    const address = parameters.get(name);
    if (address !== undefined && !isAddress(address)) throw invalidParameter(`The parameter ${name} is no valid URI.`);
  }
}

function isAddress(text: string): boolean {
  return text.length <= MAX_URL_LENGTH && /^https?:\/\//i.test(text) && URL.canParse(text);
}

function checkTexts(parameters: MediaParameters): void {
  const caption = parameters.get('caption') ?? '';
  const hashtags = caption.match(/#[\p{L}\p{N}_]+/gu)?.length ?? 0;
  const mentions = caption.match(/@[\w.]+/g)?.length ?? 0;
  if ([...caption].length > MAX_CAPTION || hashtags > MAX_HASHTAGS || mentions > MAX_MENTIONS) {
    throw new Refusal(mediaRefusals.captionTooLong);
  }
  if ([...(parameters.get('alt_text') ?? '')].length > MAX_ALT_TEXT) {
    throw invalidParameter(`The parameter alt_text is longer than ${MAX_ALT_TEXT} characters.`);
  }
  for (const name of ['audio_name', 'location_id']) {
    if (parameters.get(name) === '') throw invalidParameter(`The parameter ${name} is empty.`);
  }
  if (!/^\d*$/.test(parameters.get('location_id') ?? '')) throw invalidParameter('The location_id is no Page id.');
}

function checkVideo(parameters: MediaParameters): void {
  const offset = parameters.get('thumb_offset');
  if (offset !== undefined && !/^-?\d{1,15}$/.test(offset)) throw invalidParameter('The thumb_offset is no integer.');
  if (offset !== undefined && (Number(offset) < 0 || Number(offset) > MAX_THUMB_OFFSET_MS)) {
    throw new Refusal(mediaRefusals.thumbOffset);
  }
  const trial = parameters.get('trial_params');
  if (trial !== undefined && !isTrial(trial))
    throw invalidParameter('The graduation_strategy of trial_params is unknown.');
}

function isTrial(text: string): boolean {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return false;
  if (!('graduation_strategy' in value)) return true;
  return value.graduation_strategy === 'MANUAL' || value.graduation_strategy === 'SS_PERFORMANCE';
}

function childrenOf(text: string): string[] {
  const value = text.trimStart().startsWith('[') ? parseJson(text) : text.split(',').map((id) => id.trim());
  const ids = Array.isArray(value) ? value.map(String) : [];
  if (ids.length < 2 || ids.length > 10) throw new Refusal(mediaRefusals.carouselSize);
  if (new Set(ids).size < ids.length) throw invalidParameter('The parameter children names an id twice.');
  return ids;
}

function flag(parameters: MediaParameters, name: string): boolean {
  const text = parameters.get(name)?.toLowerCase() ?? 'false';
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw invalidParameter(`The parameter ${name} is no boolean.`);
}

const share = z.number().min(0).max(1);
const tags = z.array(z.looseObject({ username: z.string().min(1), x: share.optional(), y: share.optional() }));
const MAX_TAGS = 20;

/** Photo tags need a position; tags of other media have none. */
function checkTags(text: string | undefined, mediaType: MediaType): void {
  if (text === undefined) return;
  const { data, success } = tags.safeParse(parseJson(text));
  if (!success) throw new Refusal(mediaRefusals.tagInvalid);
  if (data.length > MAX_TAGS) throw new Refusal(mediaRefusals.tooManyTags);
  for (const { x, y } of data) {
    if (mediaType === 'IMAGE' && (x === undefined || y === undefined)) {
      throw new Refusal(mediaRefusals.tagWithoutPosition);
    }
    if (mediaType !== 'IMAGE' && (x ?? y) !== undefined) throw new Refusal(mediaRefusals.tagPosition);
  }
}
