import type { RefusalReason } from '../scripted-api/refusals.ts';

export const mediaRefusals = {
  notReady: {
    code: 9007,
    subcode: 2207027,
    message: 'The media is not ready for publishing, please wait for a moment',
  },
  expired: { code: -2, subcode: 2207020, message: 'The media you are trying to access has expired.' },
  notFound: { code: 24, subcode: 2207006, message: 'The media cannot be found: it is missing or not permitted.' },
  alreadyPublished: { code: 24, subcode: 2207006, message: 'The media has already been published.' },
  publishQuota: { code: 9, subcode: 2207042, message: 'You reached the maximum number of posts for today.' },
  createQuota: { code: 9, subcode: 2207042, message: 'You reached the maximum number of containers for today.' },
  singleVideo: {
    code: 100,
    subcode: 2207067,
    message: 'The VIDEO value for media_type is no longer supported. Use the REELS media type to publish a video.',
  },
  unknownType: { code: 100, subcode: 2207023, message: 'The media_type is unknown.' },
  captionTooLong: {
    code: 100,
    subcode: 2207010,
    message: 'The caption is longer than 2,200 characters, 30 hashtags or 20 @ tags.',
  },
  carouselSize: { code: 100, subcode: 2207028, message: 'A carousel needs at least 2 and at most 10 children.' },
  thumbOffset: { code: 1, subcode: 2207057, message: 'The thumb_offset is not within the duration of the video.' },
  tagPosition: { code: 100, subcode: 2207035, message: 'Tag positions should not be specified for this media.' },
  tagWithoutPosition: { code: 100, subcode: 2207036, message: 'Tag positions are required for photo media.' },
  tagInvalid: { code: 100, subcode: 2207037, message: 'The user_tags cannot be added.' },
  tooManyTags: { code: 100, subcode: 2207040, message: 'There are more than 20 tags.' },
} as const satisfies Record<string, RefusalReason>;
