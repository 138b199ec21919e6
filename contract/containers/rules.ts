import { isMediaType, type MediaType } from './media-types.ts';
import { isJsonObject } from '../is-json-object.ts';

/** The rules also run on requests that fail the schema, so they ignore wrong types. */
export interface ContainerFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
type Fields = Readonly<Record<string, unknown>>;

export const MIN_CHILDREN = 2;
export const MAX_CHILDREN = 10;
export const MAX_CAPTION_LENGTH = 2200;
export const MAX_HASHTAGS = 30;
export const MAX_MENTIONS = 20;
export const MAX_ALT_TEXT_LENGTH = 1000;
export const MAX_AUDIO_NAME_LENGTH = 1000;
export const MAX_USER_TAGS = 20;

const refusedFields: Readonly<Record<MediaType, readonly string[]>> = {
  IMAGE: ['videoUrl', 'children', 'coverUrl', 'thumbOffset', 'audioName', 'shareToFeed'],
  VIDEO: ['imageUrl', 'children', 'altText'],
  REELS: ['imageUrl', 'children', 'altText'],
  STORIES: [
    ...['caption', 'coverUrl', 'altText', 'locationId', 'thumbOffset'],
    ...['audioName', 'children', 'shareToFeed'],
  ],
  CAROUSEL: [...['imageUrl', 'videoUrl', 'altText', 'locationId', 'coverUrl'], ...['thumbOffset', 'audioName']],
};
const neededFields: Readonly<Record<MediaType, readonly string[]>> = {
  IMAGE: ['imageUrl'],
  VIDEO: ['videoUrl'],
  REELS: ['videoUrl'],
  STORIES: [],
  CAROUSEL: ['children'],
};

/** Whether the field has an effect. `trialParams` is free-form: it is dropped, not refused, where the platform has no place for it. */
export function allowsField(mediaType: MediaType, field: string): boolean {
  if (field === 'trialParams') return mediaType === 'VIDEO' || mediaType === 'REELS';
  return !refusedFields[mediaType].includes(field);
}

/** The platform has no place for the coordinates of tags on videos and stories, so they are dropped. */
export function tagsHavePlaces(mediaType: MediaType): boolean {
  return mediaType === 'IMAGE' || mediaType === 'CAROUSEL';
}

export function containerFaults(request: Fields): ContainerFault[] {
  const { mediaType } = request;
  const general = [...childFaults(request), ...tagFaults(request)];
  return isMediaType(mediaType) ? [...typeFaults(mediaType, request), ...general] : general;
}

function typeFaults(mediaType: MediaType, request: Fields): ContainerFault[] {
  const refused = refusedFields[mediaType]
    .filter((field) => isGiven(request, field))
    .map((field) => fault([field], `not allowed if mediaType is ${mediaType}`));
  const missing = neededFields[mediaType]
    .filter((field) => !isGiven(request, field))
    .map((field) => fault([field], `required if mediaType is ${mediaType}`));
  const story = mediaType === 'STORIES' ? oneUrlFaults(request, []) : [];
  const carousel = mediaType === 'CAROUSEL' ? carouselFaults(request) : [];
  return [...missing, ...refused, ...story, ...carousel, ...coordinateFaults(mediaType, request)];
}

function carouselFaults(request: Fields): ContainerFault[] {
  const faults: ContainerFault[] = [];
  if (request['shareToFeed'] === false) faults.push(fault(['shareToFeed'], 'a carousel is always shared to the feed'));
  const [first] = listOf(request, 'children');
  if (listOf(request, 'userTags').length > 0 && isJsonObject(first) && !isGiven(first, 'imageUrl')) {
    faults.push(fault(['children', 0], 'must be an image, because userTags are placed on the first child'));
  }
  return faults;
}

function childFaults(request: Fields): ContainerFault[] {
  return listOf(request, 'children').flatMap((child, index) =>
    isJsonObject(child) ? oneUrlFaults(child, ['children', index]) : [],
  );
}

function oneUrlFaults(fields: Fields, path: ContainerFault['path']): ContainerFault[] {
  if (isGiven(fields, 'imageUrl') !== isGiven(fields, 'videoUrl')) return [];
  const at = path.length > 0 ? path : ['imageUrl'];
  return [fault(at, 'requires exactly one of imageUrl and videoUrl')];
}

function tagFaults(request: Fields): ContainerFault[] {
  return listOf(request, 'userTags').flatMap((tag, index) => {
    if (!isJsonObject(tag) || isGiven(tag, 'x') === isGiven(tag, 'y')) return [];
    return [fault(['userTags', index, isGiven(tag, 'x') ? 'y' : 'x'], 'requires both x and y, or neither')];
  });
}

function coordinateFaults(mediaType: MediaType, request: Fields): ContainerFault[] {
  if (!tagsHavePlaces(mediaType)) return [];
  return listOf(request, 'userTags').flatMap((tag, index) => {
    if (!isJsonObject(tag) || isGiven(tag, 'x') || isGiven(tag, 'y')) return [];
    return [fault(['userTags', index], 'requires x and y on an image')];
  });
}

export function countHashtags(caption: string): number {
  return caption.match(/#[\p{L}\p{N}_]/gu)?.length ?? 0;
}

/** An @ in an email address is not a mention. */
export function countMentions(caption: string): number {
  return caption.match(/(?<![\p{L}\p{N}_.])@[\p{L}\p{N}_.]/gu)?.length ?? 0;
}

function fault(path: ContainerFault['path'], message: string): ContainerFault {
  return { path, message };
}

function isGiven(fields: Fields, name: string): boolean {
  return fields[name] !== undefined;
}

function listOf(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
}
