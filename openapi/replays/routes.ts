import { z } from 'zod';
import { byScope, type UnvalidatedInput } from '../definitions/route-definition.ts';
import { deliveryStatuses } from '../../contract/deliveries/status.ts';
import { eventTypes } from '../../contract/event-types.ts';
import {
  DEFAULT_REPLAY_RATE,
  MAX_COUNTED_MATCHES,
  MAX_REPLAY_RATE,
  replayStatuses,
  UNVERIFIED_REPLAY_RATE,
} from '../../contract/replays/replay.ts';
import {
  evenIfFieldsFail,
  givenInstant,
  idField,
  instantField,
  namedObject,
  namedPage,
  pageQuery,
} from '../definitions/fields.ts';
import { NO_TARGET } from '../deliveries/schema.ts';
import { httpStatus, MAX_TARGETS, platformIdFilters, searchField } from '../deliveries/list-schema.ts';
import { scopeErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';

export const replayScopeField = z
  .string()
  .regex(
    /^(channel:ch|workspace:ws|organization:org)_[A-Za-z0-9]{8}$/,
    'must be channel:<id>, workspace:<id> or organization:<id>',
  )
  .describe('`channel:<id>`, `workspace:<id>` or `organization:<id>`.');
const destinationField = z.string().regex(/^(webhook|(?:sub|lst)_[A-Za-z0-9]{8})$/, NO_TARGET);
const httpStatusWord = z
  .string()
  .regex(new RegExp(`^${httpStatus}$`), 'must be a status such as 404, a class such as 5xx, or none');
export const selectingFilters = ['search', 'sender', 'platformMessageId'] as const;

export const replayInput = z
  .strictObject({
    scope: replayScopeField,
    since: givenInstant.describe('Deliveries created at or after this time.'),
    until: givenInstant.describe('Deliveries created before this time. Must be later than `since`.'),
    statuses: z
      .array(z.enum(deliveryStatuses))
      .min(1)
      .max(deliveryStatuses.length)
      .describe('Deliveries that have one of these statuses when the replay is created.'),
    eventTypes: z.array(z.enum(eventTypes)).min(1).max(eventTypes.length).optional(),
    channelIds: z
      .array(idField('channel', 'A channel of the scope.'))
      .min(1)
      .max(50)
      .optional()
      .describe('Filters by channel.'),
    originalDestinations: z
      .array(destinationField)
      .min(1)
      .max(MAX_TARGETS)
      .optional()
      .describe('Filters by where the deliveries went, as `destination` of the list does.'),
    httpStatuses: z
      .array(httpStatusWord)
      .min(1)
      .max(20)
      .optional()
      .describe('Filters by the last response: `5xx`, `404` or `none`.'),
    ...platformIdFilters,
    search: searchField.optional().describe('As in the list. A text is compared with at most 20,000 deliveries.'),
    destination: destinationField
      .optional()
      .describe(
        "Sends everything to the `webhook`, or to a subscription or a listener of the channel in `scope`. Each delivery's destination by default.",
      ),
    ratePerSecond: z
      .int()
      .min(1)
      .max(MAX_REPLAY_RATE)
      .optional()
      .describe(`Maximum number of events per second; ${DEFAULT_REPLAY_RATE} by default.`),
    dryRun: z.boolean().optional().describe('Whether to count the deliveries without sending them.'),
  })
  .refine(({ since, until }) => !(Date.parse(since) >= Date.parse(until)), {
    path: ['until'],
    message: 'must be later than since',
    ...evenIfFieldsFail,
  })
  .refine(
    (input) => !/^organization:/.test(input.scope) || selectingFilters.every((name) => input[name] === undefined),
    {
      path: ['scope'],
      message: `must be a channel or a workspace with ${selectingFilters.join(', ')}`,
      ...evenIfFieldsFail,
    },
  )
  .refine(({ scope, destination = 'webhook' }) => destination === 'webhook' || /^channel:/.test(scope), {
    path: ['destination'],
    message: 'requires the scope of its channel',
    ...evenIfFieldsFail,
  });
export type ReplayInput = z.output<typeof replayInput>;

function missingScope({ query, hasWorkspace }: UnvalidatedInput): string[] {
  if (query.scope !== undefined || hasWorkspace) return [];
  return ['query.scope: required without the header X-Workspace-Id'];
}

export const replayStartedSchema = namedObject('ReplayStarted', {
  replayId: idField('replay', 'The replay.').nullable().describe('Null for a dry run.'),
  matched: z.int().min(0).describe('Number of events to send, counted once per destination.'),
  isCountComplete: z
    .boolean()
    .describe(
      `False if \`matched\` is a lower bound: at most ${MAX_COUNTED_MATCHES} events are counted, and not all deliveries of a very long ` +
        'time are compared. The replay sends all of them.',
    ),
  ratePerSecond: z
    .int()
    .min(1)
    .describe('Maximum number of events per second. Lower than requested if the destination is unverified.'),
  unverifiedDestinations: z
    .int()
    .min(0)
    .describe(
      `Subscriptions that receive at most ${UNVERIFIED_REPLAY_RATE} events per second and host, because no verified webhook of the organization has their origin. Set a webhook with that origin to verify them.`,
    ),
});

export const replaySchema = namedObject('Replay', {
  replayId: idField('replay', 'The replay.'),
  status: z.enum(replayStatuses),
  scope: replayScopeField,
  since: instantField,
  until: instantField,
  statuses: z.array(z.enum(deliveryStatuses)),
  eventTypes: z.array(z.enum(eventTypes)).nullable(),
  channelIds: z.array(idField('channel', 'A channel.')).nullable(),
  originalDestinations: z.array(destinationField).nullable(),
  httpStatuses: z.array(httpStatusWord).nullable(),
  selectedBy: z
    .array(z.enum(selectingFilters))
    .describe('The other filters of the request. Their texts are not kept: they may identify a person.'),
  destination: destinationField.nullable(),
  ratePerSecond: z.int(),
  matched: z.int().describe('Number of planned events. While the status is `planning`, the count at the start.'),
  sent: z.int().describe('Number of new deliveries.'),
  delivered: z.int().describe('New deliveries that were delivered.'),
  failed: z.int().describe('New deliveries that ended otherwise, and events that no longer exist.'),
  waiting: z.int().describe('New deliveries that are pending or retrying.'),
  createdAt: instantField,
  startedAt: instantField.nullable().describe('When the plan was complete and sending started.'),
  endedAt: instantField.nullable(),
  workflowId: z.string(),
});
export type ReplayBody = z.output<typeof replaySchema>;

const replayListQuery = z.strictObject({
  scope: replayScopeField.optional().describe('The workspace in X-Workspace-Id by default.'),
  ...pageQuery,
});

const replayListSchema = namedPage('ReplayList', { replays: replaySchema });

const reading = byScope('deliveries.read', { within: 'scope' });
const replaying = byScope('deliveries.replay', { within: 'scope' });

export const replayRoutes = defineRoutes('Replays', {
  createReplay: {
    route: 'POST /replays',
    summary: 'Creates a replay, which sends old events again',
    description: 'It runs below live traffic and outside the order of conversations.',
    access: { ...replaying, portal: 'replays.manage' },
    body: replayInput,
    idempotent: true,
    status: 202,
    answer: replayStartedSchema,
    errors: [...scopeErrors, 'SUBSCRIPTION_NOT_FOUND', 'LISTENER_NOT_FOUND', 'LIMIT_REACHED', 'READ_TOO_SLOW'],
  },
  listReplays: {
    route: 'GET /replays',
    summary: 'Lists the replays of a channel, workspace or organization, newest first',
    remarks: 'The workspace in X-Workspace-Id by default.',
    access: { ...reading, portal: 'replays.read' },
    query: replayListQuery,
    problems: missingScope,
    answer: replayListSchema,
    errors: [...scopeErrors, 'READ_TOO_SLOW'],
  },
  getReplay: {
    route: 'GET /replays/{rpl}',
    summary: 'Returns a replay with its progress',
    remarks: 'Counts the deliveries that the replay has sent.',
    access: { ...reading, portal: 'replays.read' },
    answer: replaySchema,
    errors: ['READ_TOO_SLOW'],
  },
  pauseReplay: {
    route: 'POST /replays/{rpl}/pause',
    summary: 'Pauses a replay',
    description: 'Nothing more is sent until you resume it.',
    access: { ...replaying, portal: 'replays.manage' },
    status: 202,
    answer: replaySchema,
    errors: ['REPLAY_ENDED', 'READ_TOO_SLOW'],
  },
  resumeReplay: {
    route: 'POST /replays/{rpl}/resume',
    summary: 'Resumes a paused replay',
    remarks: 'Continues with the deliveries that are not sent yet.',
    access: { ...replaying, portal: 'replays.manage' },
    status: 202,
    answer: replaySchema,
    errors: ['REPLAY_ENDED', 'READ_TOO_SLOW'],
  },
  cancelReplay: {
    route: 'POST /replays/{rpl}/cancel',
    summary: 'Cancels a replay',
    description: 'Deliveries that it has already created continue.',
    access: { ...replaying, portal: 'replays.manage' },
    status: 202,
    answer: replaySchema,
    errors: ['REPLAY_ENDED', 'READ_TOO_SLOW'],
  },
});
