import type { Schema } from '../../../client/create-client.ts';
import type { MediaType } from '../../../contract/containers/media-types.ts';
import { allowsField, tagsHavePlaces } from '../../../contract/containers/rules.ts';
import { isJsonObject } from '../../../contract/is-json-object.ts';

/** A tag as typed: the position in percent, empty for none. */
export interface TagFields {
  readonly username: string;
  readonly fromLeft: string;
  readonly fromTop: string;
}

export interface ContainerFields {
  readonly mediaType: MediaType;
  /** URL of the image or video, by `mediaType`; for stories, by `isVideo`. */
  readonly url: string;
  readonly isVideo: boolean;
  readonly caption: string;
  readonly altText: string;
  readonly coverUrl: string;
  readonly thumbOffset: string;
  readonly locationId: string;
  readonly audioName: string;
  readonly shareToFeed: boolean;
  /** How a trial reel graduates to all viewers; `none` for a normal reel. */
  readonly trial: 'none' | 'manual' | 'automatic';
  /** Further trial parameters: a JSON object, or empty. */
  readonly trialParams: string;
  readonly userTags: readonly TagFields[];
  readonly children: string;
  readonly autoPublish: boolean;
}

export const noFields: ContainerFields = {
  mediaType: 'IMAGE',
  url: '',
  isVideo: false,
  caption: '',
  altText: '',
  coverUrl: '',
  thumbOffset: '',
  locationId: '',
  audioName: '',
  shareToFeed: true,
  trial: 'none',
  trialParams: '',
  userTags: [],
  children: '',
  autoPublish: false,
};

export const noTag: TagFields = { username: '', fromLeft: '', fromTop: '' };

type Body = Schema<'MediaContainerInput'>;

/** Returns whether the form shows a field. Carousels always appear in the feed. */
export function takes(type: MediaType, field: keyof Body): boolean {
  return allowsField(type, field) && !(type === 'CAROUSEL' && field === 'shareToFeed');
}

export function containerBodyOf(fields: ContainerFields): Body {
  const { mediaType, userTags, shareToFeed, autoPublish } = fields;
  return {
    mediaType,
    ...mediaOf(fields),
    ...textsOf(fields),
    ...(userTags.length > 0 && { userTags: userTags.map((tag) => tagOf(tag, mediaType)) }),
    ...(takes(mediaType, 'shareToFeed') && { shareToFeed }),
    ...trialOf(fields),
    autoPublish,
  };
}

function trialOf({ mediaType, trial, trialParams }: ContainerFields): Partial<Body> {
  if (!takes(mediaType, 'trialParams') || trial === 'none') return {};
  return { trialParams: { ...parseObject(trialParams), graduationStrategy: trial } };
}

function parseObject(text: string): object {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // The message below says what is wrong.
  }
  throw new Error('The further trial parameters must be a JSON object, for example {"name": "value"}.');
}

function mediaOf({ mediaType, url, isVideo, children }: ContainerFields): Partial<Body> {
  if (takes(mediaType, 'children')) return { children: childrenOf(children) };
  const isVideoUrl = mediaType === 'STORIES' ? isVideo : mediaType !== 'IMAGE';
  return isVideoUrl ? { videoUrl: url.trim() } : { imageUrl: url.trim() };
}

function textsOf({ mediaType, caption, thumbOffset, ...fields }: ContainerFields): Partial<Body> {
  const { altText, coverUrl, locationId, audioName } = fields;
  const isFilled = (field: keyof Body, typed: string): boolean => takes(mediaType, field) && typed.trim() !== '';
  return {
    ...(isFilled('caption', caption) && { caption }),
    ...(isFilled('altText', altText) && { altText }),
    ...(isFilled('coverUrl', coverUrl) && { coverUrl: coverUrl.trim() }),
    ...(isFilled('thumbOffset', thumbOffset) && { thumbOffset: Number(thumbOffset) }),
    ...(isFilled('locationId', locationId) && { locationId: locationId.trim() }),
    ...(isFilled('audioName', audioName) && { audioName }),
  };
}

function tagOf({ username, fromLeft, fromTop }: TagFields, mediaType: MediaType): Schema<'MediaUserTag'> {
  const position = tagsHavePlaces(mediaType) && {
    ...(fromLeft !== '' && { x: Number(fromLeft) / 100 }),
    ...(fromTop !== '' && { y: Number(fromTop) / 100 }),
  };
  return { username: username.trim().replace(/^@/, ''), ...position };
}

const VIDEO_URL = /\.(?:mp4|mov|m4v|webm)(?:[?#]|$)/i;

/** Parses one URL per line. A file extension or a leading "image" or "video" gives the kind. */
export function childrenOf(text: string): Schema<'MediaContainerChildInput'>[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).map((line) => {
    const [, kind, url = line] = /^(image|video)\s+(\S.*)$/i.exec(line) ?? [];
    const isVideo = kind === undefined ? VIDEO_URL.test(url) : kind.toLowerCase() === 'video';
    return isVideo ? { videoUrl: url } : { imageUrl: url };
  });
}

/** Returns what the form shows for a request. */
export function containerFieldsOf(body: Body): ContainerFields {
  const { mediaType, imageUrl, videoUrl, thumbOffset, trialParams, userTags = [], children = [], ...rest } = body;
  const { trial, furtherParams } = shownTrial(trialParams);
  return {
    ...noFields,
    ...rest,
    mediaType,
    url: videoUrl ?? imageUrl ?? '',
    isVideo: videoUrl !== undefined,
    thumbOffset: thumbOffset === undefined ? '' : String(thumbOffset),
    trial,
    trialParams: Object.keys(furtherParams).length === 0 ? '' : JSON.stringify(furtherParams),
    userTags: userTags.map(({ username, x, y }) => ({ username, fromLeft: percentOf(x), fromTop: percentOf(y) })),
    children: children.map(childLineOf).join('\n'),
  };
}

/** The form shows an unusual strategy as a further parameter. */
function shownTrial(trialParams: Body['trialParams'] = {}) {
  const { graduationStrategy, ...furtherParams } = trialParams;
  if (graduationStrategy === 'manual' || graduationStrategy === 'automatic') {
    return { trial: graduationStrategy, furtherParams } as const;
  }
  return { trial: 'none', furtherParams: trialParams } as const;
}

/** Returns a changed request. What the form can't show exactly is kept unless it was edited. */
export function changedContainerBody(original: Body, fields: ContainerFields): Body {
  const shown = containerBodyOf(containerFieldsOf(original));
  const typed = containerBodyOf(fields);
  if (typed.mediaType !== original.mediaType) return typed;
  const isEdited = (name: string): boolean =>
    JSON.stringify(valueOf(shown, name)) !== JSON.stringify(valueOf(typed, name));
  const kept = Object.entries(original).filter(([name]) => !isEdited(name));
  const edited = Object.entries(typed).filter(([name]) => isEdited(name));
  return { ...Object.fromEntries([...kept, ...edited]), mediaType: typed.mediaType, autoPublish: typed.autoPublish };
}

const valueOf = (body: object, name: string): unknown => Object.entries(body).find(([key]) => key === name)?.[1];
const percentOf = (share: number | undefined): string =>
  share === undefined ? '' : String(Number((share * 100).toFixed(4)));
const childLineOf = ({ imageUrl, videoUrl }: Schema<'MediaContainerChildInput'>): string =>
  videoUrl === undefined ? `image ${imageUrl ?? ''}` : `video ${videoUrl}`;
