import type { Schema } from '../../../client/create-client.ts';
import { allowsField, tagsHavePlaces } from '../../../contract/containers/rules.ts';
import type { MediaType } from '../../../contract/containers/media-types.ts';

/** A tag of somebody as it is typed; its place in percent, empty where it has none. */
export interface TagFields {
  readonly username: string;
  readonly fromLeft: string;
  readonly fromTop: string;
}

/** A new container as its form has it. */
export interface ContainerFields {
  readonly mediaType: MediaType;
  /** The image or the video, by the type; of stories by `isVideo`. */
  readonly url: string;
  readonly isVideo: boolean;
  readonly caption: string;
  readonly altText: string;
  readonly coverUrl: string;
  /** In milliseconds, as it is typed. */
  readonly thumbOffset: string;
  readonly locationId: string;
  readonly audioName: string;
  readonly shareToFeed: boolean;
  /** How a reel on trial is shown to everybody in the end; `none` where it is at once. */
  readonly trial: 'none' | 'manual' | 'automatic';
  readonly userTags: readonly TagFields[];
  /** Of a carousel, one on a line. */
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
  userTags: [],
  children: '',
  autoPublish: false,
};

export const noTag: TagFields = { username: '', fromLeft: '', fromTop: '' };

type Body = Schema<'MediaContainerInput'>;

/** Whether the form of this type of media has the field. A carousel is in the feed anyway: nothing is asked. */
export function takes(type: MediaType, field: keyof Body): boolean {
  return allowsField(type, field) && !(type === 'CAROUSEL' && field === 'shareToFeed');
}

/** The request that the fields stand for: only what its type takes, since the service refuses the rest. */
export function containerBodyOf(fields: ContainerFields): Body {
  const { mediaType, userTags, shareToFeed, trial, autoPublish } = fields;
  return {
    mediaType,
    ...mediaOf(fields),
    ...textsOf(fields),
    ...(userTags.length > 0 && { userTags: userTags.map((tag) => tagOf(tag, mediaType)) }),
    ...(takes(mediaType, 'shareToFeed') && { shareToFeed }),
    ...(takes(mediaType, 'trialParams') && trial !== 'none' && { trialParams: { graduationStrategy: trial } }),
    autoPublish,
  };
}

function mediaOf({ mediaType, url, isVideo, children }: ContainerFields): Partial<Body> {
  if (takes(mediaType, 'children')) return { children: childrenOf(children) };
  const isVideoUrl = mediaType === 'STORIES' ? isVideo : mediaType !== 'IMAGE';
  return isVideoUrl ? { videoUrl: url.trim() } : { imageUrl: url.trim() };
}

/** What was typed of what may be left out. */
function textsOf({ mediaType, caption, thumbOffset, ...fields }: ContainerFields): Partial<Body> {
  const { altText, coverUrl, locationId, audioName } = fields;
  const isMeant = (field: keyof Body, typed: string): boolean => takes(mediaType, field) && typed.trim() !== '';
  return {
    ...(isMeant('caption', caption) && { caption }),
    ...(isMeant('altText', altText) && { altText }),
    ...(isMeant('coverUrl', coverUrl) && { coverUrl: coverUrl.trim() }),
    ...(isMeant('thumbOffset', thumbOffset) && { thumbOffset: Number(thumbOffset) }),
    ...(isMeant('locationId', locationId) && { locationId: locationId.trim() }),
    ...(isMeant('audioName', audioName) && { audioName }),
  };
}

function tagOf({ username, fromLeft, fromTop }: TagFields, mediaType: MediaType): Schema<'MediaUserTag'> {
  const place = tagsHavePlaces(mediaType) && {
    ...(fromLeft !== '' && { x: Number(fromLeft) / 100 }),
    ...(fromTop !== '' && { y: Number(fromTop) / 100 }),
  };
  return { username: username.trim().replace(/^@/, ''), ...place };
}

const VIDEO_URL = /\.(?:mp4|mov|m4v|webm)(?:[?#]|$)/i;

/** Addresses one on a line; a video is told by how its file is called, or by the word before it. */
export function childrenOf(text: string): Schema<'MediaContainerChildInput'>[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).map((line) => {
    const [, kind, url = line] = /^(image|video)\s+(\S.*)$/i.exec(line) ?? [];
    const isVideo = kind === undefined ? VIDEO_URL.test(url) : kind.toLowerCase() === 'video';
    return isVideo ? { videoUrl: url } : { imageUrl: url };
  });
}
