import type { ContainerInput } from '../../openapi/containers/schema.ts';

/** What the platform is asked for, in its own words; every value is the text that a form carries. */
export type MediaParameters = Readonly<Record<string, string>>;
type Child = NonNullable<ContainerInput['children']>[number];

/** Of anything but a carousel. */
export function containerParameters(request: ContainerInput): MediaParameters {
  switch (request.mediaType) {
    case 'IMAGE':
      return { ...urlParameters(request), ...textParameters(request), ...given('alt_text', request.altText) };
    case 'VIDEO': // by itself it has become a reel; the word is left for children
    case 'REELS':
      return { media_type: 'REELS', ...urlParameters(request), ...textParameters(request), ...reelParameters(request) };
    case 'STORIES':
      return { media_type: 'STORIES', ...urlParameters(request), ...tagParameters(request.userTags) };
    case 'CAROUSEL':
      throw new Error('A carousel is made of its children first');
  }
}

/** Of the child at this place. Tags of people are the first one's: the carousel itself takes none. */
export function childParameters({ children = [], userTags }: ContainerInput, index: number): MediaParameters {
  const child = children[index];
  if (child === undefined) throw new Error(`The carousel has no child ${index}`);
  return {
    is_carousel_item: 'true',
    ...(child.videoUrl !== undefined && { media_type: 'VIDEO' }),
    ...urlParameters(child),
    ...(index === 0 && tagParameters(userTags)),
  };
}

/** Of the carousel, once its children are finished; they are shown in the order of their ids here. */
export function carouselParameters({ caption }: ContainerInput, childIds: readonly string[]): MediaParameters {
  return { media_type: 'CAROUSEL', children: childIds.join(','), ...given('caption', caption) };
}

function urlParameters({ imageUrl, videoUrl }: Child): MediaParameters {
  return { ...given('image_url', imageUrl), ...given('video_url', videoUrl) };
}

function textParameters({ caption, locationId, userTags }: ContainerInput): MediaParameters {
  return { ...given('caption', caption), ...given('location_id', locationId), ...tagParameters(userTags) };
}

function tagParameters(userTags: ContainerInput['userTags']): MediaParameters {
  return userTags && userTags.length > 0 ? { user_tags: JSON.stringify(userTags) } : {};
}

function reelParameters({ coverUrl, thumbOffset, shareToFeed, audioName, trialParams }: ContainerInput) {
  return {
    // A cover makes the platform ignore the offset, and a fault in that would still be refused.
    ...(coverUrl === undefined ? given('thumb_offset', thumbOffset) : { cover_url: coverUrl }),
    ...given('share_to_feed', shareToFeed),
    ...given('audio_name', audioName),
    ...(trialParams && { trial_params: trialText(trialParams) }),
  };
}

const graduationStrategies = { manual: 'MANUAL', automatic: 'SS_PERFORMANCE' } as const;

/** What we have no word for goes on as it came. */
function trialText({ graduationStrategy, ...others }: NonNullable<ContainerInput['trialParams']>): string {
  const strategy = graduationStrategy && { graduation_strategy: graduationStrategies[graduationStrategy] };
  return JSON.stringify({ ...others, ...strategy });
}

function given(name: string, value: string | number | boolean | undefined): MediaParameters {
  return value === undefined ? {} : { [name]: String(value) };
}
