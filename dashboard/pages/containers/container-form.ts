import type { Schema } from '../../../client/create-client.ts';
import type { MediaType } from '../../../contract/media-types.ts';

/** A new container as its form has it. */
export interface ContainerFields {
  readonly mediaType: MediaType;
  /** The image or the video, by the type; of stories by `isVideo`. */
  readonly url: string;
  readonly isVideo: boolean;
  readonly caption: string;
  readonly altText: string;
  readonly coverUrl: string;
  readonly shareToFeed: boolean;
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
  shareToFeed: true,
  children: '',
  autoPublish: false,
};

/** What the type of media makes of the other fields. */
export const takes = {
  caption: (type: MediaType): boolean => type !== 'STORIES',
  altText: (type: MediaType): boolean => type === 'IMAGE',
  coverUrl: (type: MediaType): boolean => type === 'VIDEO' || type === 'REELS',
  children: (type: MediaType): boolean => type === 'CAROUSEL',
} as const;

const VIDEO_URL = /\.(?:mp4|mov|m4v|webm)(?:[?#]|$)/i;

/** The request that the fields stand for: only what its type takes, since the service refuses the rest. */
export function containerBodyOf(fields: ContainerFields): Schema<'MediaContainerInput'> {
  const { mediaType, url, caption, altText, coverUrl, shareToFeed, autoPublish } = fields;
  const isVideo = mediaType === 'STORIES' ? fields.isVideo : mediaType !== 'IMAGE';
  const media = isVideo ? { videoUrl: url.trim() } : { imageUrl: url.trim() };
  return {
    mediaType,
    ...(takes.children(mediaType) ? { children: childrenOf(fields.children) } : media),
    ...(takes.caption(mediaType) && caption !== '' && { caption }),
    ...(takes.altText(mediaType) && altText !== '' && { altText }),
    ...(takes.coverUrl(mediaType) && coverUrl !== '' && { coverUrl: coverUrl.trim() }),
    ...(takes.coverUrl(mediaType) && { shareToFeed }),
    autoPublish,
  };
}

/** Addresses one on a line; a video is told by how its file is called, or by the word before it. */
export function childrenOf(text: string): Schema<'MediaContainerChildInput'>[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).map((line) => {
    const [, kind, url = line] = /^(image|video)\s+(.+)$/i.exec(line) ?? [];
    const isVideo = kind === undefined ? VIDEO_URL.test(url) : kind.toLowerCase() === 'video';
    return isVideo ? { videoUrl: url } : { imageUrl: url };
  });
}
