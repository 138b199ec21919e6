import { z } from 'zod';
import { deliveryStatuses } from '../../contract/deliveries/status.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { plainPerson } from '../../contract/operations/person-id.ts';
import {
  givenInstant,
  instantField,
  namedObject,
  nextCursorField,
  noControlCharacters,
  pageQuery,
  wordListField,
} from '../definitions/fields.ts';
import { lastAttemptSchema } from './attempt-schema.ts';
import { summaryFields } from './schema.ts';

/** What lists leave out unless it is asked for, because it takes further reads. */
export const listInclusions = ['lastAttempt', 'preview'] as const;
export type ListInclusion = (typeof listInclusions)[number];

export const deliveryListItemSchema = namedObject('DeliveryListItem', {
  ...summaryFields,
  lastAttempt: lastAttemptSchema
    .nullable()
    .optional()
    .describe('With `include=lastAttempt`. Null before the first attempt.'),
  preview: z
    .string()
    .nullable()
    .optional()
    .meta({
      description:
        'With `include=preview`: the text of the message, shortened, or its kind in brackets. Null if it is erased, ' +
        'unreadable, has neither, or is larger than 64 KiB.',
      examples: ['Is my order on its way?'],
    }),
});
export type DeliveryListItemBody = z.output<typeof deliveryListItemSchema>;

const target = '(?:webhook|(?:sub|lst)_[A-Za-z0-9]{8})';
export const MAX_TARGETS = 20;

const deliveryTargetsField = z
  .string()
  .regex(
    new RegExp(`^${target}(?:,${target}){0,${MAX_TARGETS - 1}}$`),
    `must be webhook, or the ids of subscriptions (sub_…) and listeners (lst_…): up to ${MAX_TARGETS}, comma-separated`,
  )
  .transform((text) => [...new Set(text.split(','))])
  .meta({
    description: '`webhook`, or the ids of subscriptions and listeners: up to 20, comma-separated.',
    examples: ['webhook,sub_4Fz0aB1c'],
  });

const channelsField = z
  .string()
  .regex(/^ch_[A-Za-z0-9]{8}(?:,ch_[A-Za-z0-9]{8}){0,49}$/, 'must be up to 50 ids of channels (ch_…), comma-separated')
  .transform((text) => [...new Set(text.split(','))])
  .meta({ description: 'Filters by channel: up to 50 ids, comma-separated.', examples: ['ch_4Fz0aB1c,ch_9xY2kLmN'] });

export const httpStatus = '(?:[1-5]xx|[1-5][0-9]{2}|none)';

const httpStatusField = z
  .string()
  .regex(
    new RegExp(`^${httpStatus}(?:,${httpStatus}){0,19}$`),
    'must be up to 20 statuses such as 404, classes such as 5xx, or none, comma-separated',
  )
  .transform((text) => [...new Set(text.split(','))])
  .meta({
    description:
      'Filters by the response to the last attempt: classes such as `5xx`, statuses such as `404`, or `none` for no ' +
      'response, comma-separated.',
    examples: ['4xx,5xx,none'],
  });

const scopeField = z
  .string()
  .regex(
    /^(?:channel:ch|workspace:ws)_[A-Za-z0-9]{8}$/,
    'must be channel:<id of a channel> or workspace:<id of a workspace>',
  )
  .describe('`channel:<id>`, or `workspace:<id>` for all channels of the workspace in X-Workspace-Id.');

export const deliveryKindQuery = {
  status: wordListField(deliveryStatuses, 'Filters by status').optional(),
  eventType: wordListField(eventTypes, 'Filters by event type').optional(),
};

export const deliveryStreamQuery = z.strictObject({ scope: scopeField, ...deliveryKindQuery });

export const senderFilter = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(noControlCharacters, 'must have no control characters')
  .transform(plainPerson)
  .meta({
    description: "The sender's id at the platform. A phone number may have its plus sign, spaces, dashes and brackets.",
    examples: ['+1 555 123 0000'],
  });

export const platformIdFilters = {
  sender: senderFilter.optional(),
  platformMessageId: z.string().min(1).max(500).optional().describe("The platform's id of the message."),
};

export const searchField = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(noControlCharacters, 'must have no control characters');

const deliveryFilterQuery = {
  scope: scopeField
    .optional()
    .describe('`channel:<id>` or `workspace:<id>`; the workspace in X-Workspace-Id by default.'),
  channelId: channelsField.optional(),
  ...deliveryKindQuery,
  destination: deliveryTargetsField.optional(),
  httpStatus: httpStatusField.optional(),
  ...platformIdFilters,
};

const sinceQuery = givenInstant.optional().describe('Created at or after this time.');
const untilQuery = givenInstant.optional().describe('Created before this time.');

export const deliveryListQuery = z.strictObject({
  ...deliveryFilterQuery,
  since: sinceQuery,
  until: untilQuery,
  search: searchField.optional().meta({
    description:
      'The id of a delivery, an event, a replay, a channel, a subscription, a listener, a workflow or a trace, the ' +
      '`webhook-id` of a request, a sender, a message id of the platform, or else a text in the body. Bodies have no ' +
      'index, so a page compares the text with the newest 2,000 deliveries that the other filters leave, or 4 MiB of ' +
      'bodies; `search` in the answer says how far it came, and the next page continues there. Bodies over 64 KiB are ' +
      'not compared.',
    examples: ['Is my order on its way?'],
  }),
  include: wordListField(listInclusions, 'Adds to each delivery what takes further reads').optional(),
  ...pageQuery,
});
export type DeliveryListQuery = z.output<typeof deliveryListQuery>;

const searchReportSchema = z
  .strictObject({
    by: z
      .enum(['id', 'platform_id', 'scan'])
      .describe('What `search` was taken for. `scan`: the deliveries were compared one by one.'),
    scannedCount: z.int().min(0).describe('How many deliveries this page compared. 0 unless it is a scan.'),
    scannedBackTo: instantField.nullable().describe('When the last one that was compared was created.'),
    isComplete: z.boolean().describe('False if older deliveries were not compared. See `nextCursor`.'),
  })
  .meta({
    id: 'DeliverySearchReport',
    examples: [{ by: 'scan', scannedCount: 2000, scannedBackTo: '2026-01-30T21:12:00.000Z', isComplete: false }],
  });

export const deliveryListSchema = namedObject('DeliveryList', {
  deliveries: z.array(deliveryListItemSchema),
  nextCursor: nextCursorField,
  search: searchReportSchema.optional().describe('Only with the parameter `search`.'),
});
export type DeliveryListBody = z.output<typeof deliveryListSchema>;

export const histogramQuery = z.strictObject({
  ...deliveryFilterQuery,
  since: givenInstant.describe('Begin of the first bucket.'),
  until: untilQuery.describe('End of the last bucket. Default: now.'),
  search: searchField.optional().meta({
    description:
      'As in the list. A search for a text counts the matches among the newest 2,000 deliveries that the other filters ' +
      'leave, or 4 MiB of bodies.',
    examples: ['Is my order on its way?'],
  }),
  buckets: z.coerce.number().int().min(1).max(200).optional().describe('How many; 60 by default.'),
});
export type HistogramQuery = z.output<typeof histogramQuery>;

export const histogramSchema = namedObject('DeliveryHistogram', {
  since: instantField,
  until: instantField,
  bucketMs: z.int().min(1),
  isComplete: z
    .boolean()
    .describe('False if only the newest 50,000 deliveries were counted, or if a search compared only the newest ones.'),
  buckets: z
    .array(
      z.strictObject({
        at: instantField.describe('Begin of the bucket.'),
        delivered: z.int().min(0),
        failed: z.int().min(0).describe('Exhausted.'),
        waiting: z.int().min(0).describe('Pending or retrying.'),
        notSent: z.int().min(0).describe('Cancelled or skipped.'),
      }),
    )
    .describe('All of the span, in order, also those without deliveries.'),
});
export type HistogramBody = z.output<typeof histogramSchema>;
