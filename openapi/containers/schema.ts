import { z } from 'zod';
import {
  containerFaults,
  countHashtags,
  countMentions,
  MAX_ALT_TEXT_LENGTH,
  MAX_AUDIO_NAME_LENGTH,
  MAX_CAPTION_LENGTH,
  MAX_CHILDREN,
  MAX_HASHTAGS,
  MAX_MENTIONS,
  MAX_USER_TAGS,
  MIN_CHILDREN,
} from '../../contract/containers/rules.ts';
import {
  evenIfFieldsFail,
  idField,
  instantField,
  isStorable,
  jsonRefusal,
  namedObject,
  namedPage,
  pageQuery,
  UNSTORABLE,
} from '../definitions/fields.ts';
import { containerStatuses } from '../../contract/containers/status.ts';
import { checkUrl, MAX_URL_LENGTH, parsedForm } from '../../contract/addresses/check-url.ts';
import { mediaTypes } from '../../contract/containers/media-types.ts';
import { refusalCodeField } from '../operations/platform-fields.ts';

const mediaTypeField = z.enum(mediaTypes).meta({ id: 'MediaType' });

/** The platform fetches it, so no setting allows private networks. */
function mediaUrlField(description: string) {
  return z
    .string()
    .superRefine((url, context) => {
      const verdict = checkUrl(url, { allowHttp: false, allow: [] });
      if (!verdict.ok) context.addIssue(verdict.reason);
      else if (!isStorable(url)) context.addIssue(UNSTORABLE);
    })
    .overwrite(parsedForm)
    .meta({ description, format: 'uri', maxLength: MAX_URL_LENGTH });
}

/** Counts Unicode characters. */
function textField(maxLength: number, description: string) {
  return z
    .string()
    .superRefine((text, context) => {
      if ([...text].length > maxLength) context.addIssue(`longer than ${maxLength} characters`);
      if (!isStorable(text)) context.addIssue(UNSTORABLE);
    })
    .meta({ description, maxLength });
}

const captionField = textField(
  MAX_CAPTION_LENGTH,
  `At most ${MAX_HASHTAGS} hashtags and ${MAX_MENTIONS} mentions. Not for STORIES.`,
).superRefine((caption, context) => {
  if (countHashtags(caption) > MAX_HASHTAGS) context.addIssue(`more than ${MAX_HASHTAGS} hashtags`);
  if (countMentions(caption) > MAX_MENTIONS) context.addIssue(`more than ${MAX_MENTIONS} mentions`);
});

const childInput = namedObject(
  'MediaContainerChildInput',
  {
    imageUrl: mediaUrlField('A public https URL of an image.').optional(),
    videoUrl: mediaUrlField('A public https URL of a video.').optional(),
  },
  'Requires exactly one of `imageUrl` and `videoUrl`.',
);

const coordinate = z.number().min(0).max(1);
const userTagInput = namedObject('MediaUserTag', {
  username: z
    .string()
    .trim()
    .regex(/^@?[A-Za-z0-9._]{1,30}$/, 'must be a username of 1 to 30 letters, digits, dots and underscores')
    .overwrite((name) => name.replace('@', ''))
    .describe('A leading @ is dropped.'),
  x: coordinate
    .optional()
    .describe('Distance from the left edge, as a share of the width. Dropped unless it is an image.'),
  y: coordinate
    .optional()
    .describe('Distance from the top edge, as a share of the height. Dropped unless it is an image.'),
});

const MAX_TRIAL_PARAMS_LENGTH = 4096;
const trialParamsField = z
  .record(z.string(), z.unknown())
  .superRefine((value, context) => {
    const refusal = jsonRefusal(value, MAX_TRIAL_PARAMS_LENGTH);
    if (refusal !== undefined) context.addIssue(refusal);
  }, evenIfFieldsFail)
  .meta({
    description:
      'Shows a reel first to people who do not follow the account. `graduationStrategy` says how the trial ends: ' +
      '`manual` or `automatic`. All members are sent to the platform as they are, with its names for these two. Dropped ' +
      'if it is empty, and unless it is a VIDEO or REELS, because the platform has no place for it.',
    examples: [{ graduationStrategy: 'manual' }],
  });

export const containerInput = z
  .strictObject({
    mediaType: mediaTypeField,
    imageUrl: mediaUrlField('A public https URL of an image. For IMAGE, or STORIES.').optional(),
    videoUrl: mediaUrlField('A public https URL of a video. For VIDEO and REELS, or STORIES.').optional(),
    caption: captionField.optional(),
    coverUrl: mediaUrlField(
      'Shown before the video plays. Takes precedence over `thumbOffset`. For VIDEO and REELS.',
    ).optional(),
    altText: textField(MAX_ALT_TEXT_LENGTH, 'Text alternative of the image. IMAGE only.').optional(),
    locationId: z
      .string()
      .regex(/^\d{1,40}$/, 'must be the id of a Page, which has only digits')
      .optional()
      .describe('Id of a Page with a location. For IMAGE, VIDEO and REELS.'),
    audioName: textField(MAX_AUDIO_NAME_LENGTH, 'Name of the sound. For VIDEO and REELS.').optional(),
    shareToFeed: z.boolean().optional().describe('For VIDEO and REELS. A CAROUSEL is always shared.'),
    thumbOffset: z.int().min(0).optional().describe('The position of the thumbnail frame, in milliseconds.'),
    children: z
      .array(childInput)
      .min(MIN_CHILDREN)
      .max(MAX_CHILDREN)
      .optional()
      .describe('The items of a CAROUSEL, in order.'),
    userTags: z
      .array(userTagInput)
      .max(MAX_USER_TAGS)
      .optional()
      .describe(
        'An image requires x and y; for other media they are dropped. A CAROUSEL tags its first child, which must be ' +
          'an image.',
      ),
    trialParams: trialParamsField.optional(),
    autoPublish: z.boolean().default(false).describe('Publish as soon as the container is finished.'),
  })
  .superRefine((request, context) => {
    for (const { path, message } of containerFaults(request)) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  }, evenIfFieldsFail)
  .meta({ id: 'MediaContainerInput' });
export type ContainerInput = z.output<typeof containerInput>;

/** A child is never published on its own. */
export const containerChildStatuses = ['creating', 'in_progress', 'finished', 'error', 'expired', 'unknown'] as const;
export type ContainerChildStatus = (typeof containerChildStatuses)[number];

const childSchema = namedObject('MediaContainerChild', {
  index: z.int().min(0).describe('Position in `children` of the request.'),
  imageUrl: z.string().nullable(),
  videoUrl: z.string().nullable(),
  status: z.enum(containerChildStatuses),
});

const names = {
  channelId: idField('channel', 'The channel.'),
  containerId: idField('container', 'The container.'),
};
const published = {
  mediaId: z.string().nullable().describe("The platform's id of the published media, if known."),
  permalink: z.string().nullable(),
};

export const containerSchema = namedObject('MediaContainer', {
  ...names,
  status: z
    .enum(containerStatuses)
    .describe(
      'The container can be published while `finished`. It is also `finished` if the platform accepted it and hides its ' +
        'status: a publish that comes too early then returns CONTAINER_NOT_READY.',
    ),
  statusDetail: z
    .string()
    .nullable()
    .describe('Why the container failed, was not published, or has a status that the platform hides.'),
  refusalCode: refusalCodeField,
  mediaType: mediaTypeField,
  caption: z.string().nullable(),
  children: z.array(childSchema).nullable().describe('Null unless it is a CAROUSEL.'),
  platformContainerId: z.string().nullable(),
  ...published,
  createdAt: instantField,
  checkedAt: instantField.nullable(),
  nextCheckAt: instantField.nullable(),
  expiresAt: instantField,
  publishedAt: instantField.nullable(),
});
export type ContainerBody = z.output<typeof containerSchema>;

export const containerCreated = namedObject('MediaContainerCreated', names);

export const containerPublished = namedObject('MediaContainerPublished', { ...names, ...published });

export const containerList = namedPage('MediaContainerList', { containers: containerSchema });

export const containerListQuery = z.strictObject({
  status: z.enum(containerStatuses).optional(),
  ...pageQuery,
});
