import { tagsHavePlaces } from '../../contract/containers/rules.ts';
import type { ContainerInput } from '../../openapi/containers/schema.ts';

export type MediaParameters = Readonly<Record<string, string>>;
type Child = NonNullable<ContainerInput['children']>[number];

export function containerParameters(request: ContainerInput): MediaParameters {
  switch (request.mediaType) {
    case 'IMAGE':
      return {
        ...urlParameters(request),
        ...textParameters(request),
        ...optionalParameter('alt_text', request.altText),
      };
    case 'VIDEO': // A single video becomes a reel; VIDEO is for children of carousels only.
    case 'REELS':
      return { media_type: 'REELS', ...urlParameters(request), ...textParameters(request), ...reelParameters(request) };
    case 'STORIES':
      return { media_type: 'STORIES', ...urlParameters(request), ...tagParameters(request) };
    case 'CAROUSEL':
      throw new Error('A carousel requires the ids of its children');
  }
}

/** The first child carries the user tags, because carousels have none. */
export function childParameters(
  { mediaType, children = [], userTags }: ContainerInput,
  index: number,
): MediaParameters {
  const child = children[index];
  if (child === undefined) throw new Error(`The carousel has no child ${index}`);
  return {
    is_carousel_item: 'true',
    ...(child.videoUrl !== undefined && { media_type: 'VIDEO' }),
    ...urlParameters(child),
    ...(index === 0 && tagParameters({ mediaType, userTags })),
  };
}

export function carouselParameters({ caption }: ContainerInput, childIds: readonly string[]): MediaParameters {
  return { media_type: 'CAROUSEL', children: childIds.join(','), ...optionalParameter('caption', caption) };
}

function urlParameters({ imageUrl, videoUrl }: Child): MediaParameters {
  return { ...optionalParameter('image_url', imageUrl), ...optionalParameter('video_url', videoUrl) };
}

function textParameters({ mediaType, caption, locationId, userTags }: ContainerInput): MediaParameters {
  return {
    ...optionalParameter('caption', caption),
    ...optionalParameter('location_id', locationId),
    ...tagParameters({ mediaType, userTags }),
  };
}

function tagParameters({ mediaType, userTags = [] }: Pick<ContainerInput, 'mediaType' | 'userTags'>): MediaParameters {
  if (userTags.length === 0) return {};
  const tags = tagsHavePlaces(mediaType) ? userTags : userTags.map(({ username }) => ({ username }));
  return { user_tags: JSON.stringify(tags) };
}

function reelParameters({ coverUrl, thumbOffset, shareToFeed, audioName, trialParams }: ContainerInput) {
  return {
    // With a cover, the platform ignores the offset but still refuses an invalid one.
    ...(coverUrl === undefined ? optionalParameter('thumb_offset', thumbOffset) : { cover_url: coverUrl }),
    ...optionalParameter('share_to_feed', shareToFeed),
    ...optionalParameter('audio_name', audioName),
    ...(trialParams && trialParameters(trialParams)),
  };
}

const graduationStrategies: Readonly<Record<string, string>> = { manual: 'MANUAL', automatic: 'SS_PERFORMANCE' };

/** The platform refuses an empty object. */
function trialParameters({ graduationStrategy, ...others }: NonNullable<ContainerInput['trialParams']>) {
  const strategy = typeof graduationStrategy === 'string' ? graduationStrategies[graduationStrategy] : undefined;
  const named = graduationStrategy === undefined ? {} : { graduation_strategy: strategy ?? graduationStrategy };
  const params = { ...others, ...named };
  return Object.keys(params).length === 0 ? {} : { trial_params: JSON.stringify(params) };
}

function optionalParameter(name: string, value: string | number | boolean | undefined): MediaParameters {
  return value === undefined ? {} : { [name]: String(value) };
}
