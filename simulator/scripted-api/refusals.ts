import { randomBytes } from 'node:crypto';

/** What the platform says when it will not do what is asked. */
export interface RefusalReason {
  /** 400 when left out. */
  readonly status?: number | undefined;
  readonly code: number;
  readonly subcode?: number | undefined;
  readonly message: string;
  readonly isTransient?: boolean | undefined;
}

/** A refusal in the platform's own words; the media API answers it in the platform's error body. */
export class MediaRefusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(reason.message);
    this.reason = reason;
  }
}

export const refusals = {
  noToken: { code: 190, message: 'Invalid OAuth access token - Cannot parse access token' },
  deadToken: { code: 190, subcode: 463, message: 'Error validating access token: Session has expired.' },
  wrongProof: { code: 100, message: 'Invalid appsecret_proof provided in the API argument' },
  badBody: { code: 100, message: '(#100) The body of the request cannot be read.' },
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
  serverError: { status: 500, code: 2, isTransient: true, message: 'An unexpected error has occurred.' },
} as const satisfies Record<string, RefusalReason>;

/** A parameter that is missing, malformed or out of place; the platform has one code for all of it. */
export function invalidParameter(text: string): MediaRefusal {
  return new MediaRefusal({ code: 100, message: `(#100) ${text}` });
}

/** A read of an object that is not there. */
export function missingObject(id: string): MediaRefusal {
  const message = `Unsupported get request. Object with ID '${id}' does not exist or cannot be loaded.`;
  return new MediaRefusal({ code: 100, subcode: 33, message });
}

export function errorBody({ code, subcode, message, isTransient = false }: RefusalReason) {
  return {
    error: {
      message,
      type: 'OAuthException',
      code,
      ...(subcode !== undefined && { error_subcode: subcode, error_user_title: 'Error', error_user_msg: message }),
      is_transient: isTransient,
      fbtrace_id: `A${randomBytes(11).toString('base64url')}`,
    },
  };
}
