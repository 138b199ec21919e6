export const mediaTypes = ['IMAGE', 'VIDEO', 'REELS', 'STORIES', 'CAROUSEL'] as const;
export type MediaType = (typeof mediaTypes)[number];

export function isMediaType(value: unknown): value is MediaType {
  return mediaTypes.some((mediaType) => mediaType === value);
}
