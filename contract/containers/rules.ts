import { isMediaType, type MediaType } from './media-types.ts';

/**
 * Which fields of a create request go together. The rules look at requests whose fields may still be of the wrong
 * shape, so that whoever sent one learns all of its faults at once: a field counts as given whatever its value is, and
 * what cannot be read is left to the check of the shape.
 */
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
/** The platform allows no more in one post. */
export const MAX_USER_TAGS = 20;

/** What each type needs, and what it may carry besides. A caption and tags of people are allowed unless refused here. */
const refusedFields: Readonly<Record<MediaType, readonly string[]>> = {
  IMAGE: ['videoUrl', 'children', 'coverUrl', 'thumbOffset', 'audioName', 'shareToFeed', 'trialParams'],
  VIDEO: ['imageUrl', 'children', 'altText', 'trialParams'],
  REELS: ['imageUrl', 'children', 'altText'],
  STORIES: [
    ...['caption', 'coverUrl', 'altText', 'locationId', 'thumbOffset'],
    ...['audioName', 'children', 'trialParams', 'shareToFeed'],
  ],
  CAROUSEL: [
    ...['imageUrl', 'videoUrl', 'altText', 'locationId', 'coverUrl'],
    ...['thumbOffset', 'audioName', 'trialParams'],
  ],
};
const neededFields: Readonly<Record<MediaType, readonly string[]>> = {
  IMAGE: ['imageUrl'],
  VIDEO: ['videoUrl'],
  REELS: ['videoUrl'],
  STORIES: [],
  CAROUSEL: ['children'],
};

/** Whether a request of this type may carry the field. */
export function allowsField(mediaType: MediaType, field: string): boolean {
  return !refusedFields[mediaType].includes(field);
}

/** Whether tags of people have a place: those on a picture need one, others may have none. */
export function tagsHavePlaces(mediaType: MediaType): boolean {
  return mediaType === 'IMAGE' || mediaType === 'CAROUSEL';
}

/** Every rule across fields that the request breaks. */
export function containerFaults(request: Fields): ContainerFault[] {
  const { mediaType } = request;
  const general = [...childFaults(request), ...tagFaults(request)];
  return isMediaType(mediaType) ? [...typeFaults(mediaType, request), ...general] : general;
}

function typeFaults(mediaType: MediaType, request: Fields): ContainerFault[] {
  const refused = refusedFields[mediaType]
    .filter((field) => isGiven(request, field))
    .map((field) => fault([field], `not allowed where mediaType is ${mediaType}`));
  const missing = neededFields[mediaType]
    .filter((field) => !isGiven(request, field))
    .map((field) => fault([field], `needed where mediaType is ${mediaType}`));
  const story = mediaType === 'STORIES' ? oneUrlFaults(request, []) : [];
  const carousel = mediaType === 'CAROUSEL' ? carouselFaults(request) : [];
  return [...missing, ...refused, ...story, ...carousel, ...coordinateFaults(mediaType, request)];
}

function carouselFaults(request: Fields): ContainerFault[] {
  const faults: ContainerFault[] = [];
  // It is in the feed or nowhere: to take a false and not do it would be worse than to refuse it.
  if (request['shareToFeed'] === false) faults.push(fault(['shareToFeed'], 'a carousel is always shared to the feed'));
  const [first] = listOf(request, 'children');
  if (listOf(request, 'userTags').length > 0 && isRecord(first) && !isGiven(first, 'imageUrl')) {
    faults.push(fault(['children', 0], 'must be an image where userTags are given, since they are put on it'));
  }
  return faults;
}

function childFaults(request: Fields): ContainerFault[] {
  return listOf(request, 'children').flatMap((child, index) =>
    isRecord(child) ? oneUrlFaults(child, ['children', index]) : [],
  );
}

function oneUrlFaults(fields: Fields, path: ContainerFault['path']): ContainerFault[] {
  if (isGiven(fields, 'imageUrl') !== isGiven(fields, 'videoUrl')) return [];
  const at = path.length > 0 ? path : ['imageUrl'];
  return [fault(at, 'exactly one of imageUrl and videoUrl is needed')];
}

function tagFaults(request: Fields): ContainerFault[] {
  return listOf(request, 'userTags').flatMap((tag, index) => {
    if (!isRecord(tag) || isGiven(tag, 'x') === isGiven(tag, 'y')) return [];
    return [fault(['userTags', index, isGiven(tag, 'x') ? 'y' : 'x'], 'x and y are given both or not at all')];
  });
}

function coordinateFaults(mediaType: MediaType, request: Fields): ContainerFault[] {
  const isPicture = tagsHavePlaces(mediaType);
  return listOf(request, 'userTags').flatMap((tag, index) => {
    if (!isRecord(tag)) return [];
    const given = ['x', 'y'].filter((name) => isGiven(tag, name));
    if (isPicture) return given.length > 0 ? [] : [fault(['userTags', index], 'x and y are needed on an image')];
    return given.map((name) => fault(['userTags', index, name], `not allowed where mediaType is ${mediaType}`));
  });
}

/** How many hashtags the platform would see in a caption. */
export function countHashtags(caption: string): number {
  return caption.match(/#[\p{L}\p{N}_]/gu)?.length ?? 0;
}

/** How many accounts a caption mentions; the sign within an e-mail address mentions nobody. */
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

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
