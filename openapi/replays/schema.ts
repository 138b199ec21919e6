import { z } from 'zod';
import type { GivenInput } from '../definitions/route-definition.ts';
import { deliveryStatuses } from '../../contract/deliveries/status.ts';
import { eventTypes } from '../../contract/event-types.ts';
import {
  DEFAULT_REPLAY_RATE,
  MAX_REPLAY_RATE,
  replayStatuses,
  UNVERIFIED_REPLAY_RATE,
} from '../../contract/replays/replay.ts';
import { besideOthers } from '../definitions/beside-others.ts';
import { idField, instantField, nextCursorField, pageQuery } from '../definitions/fields.ts';

export const replayScopeField = z
  .string()
  .regex(/^(channel:ch|workspace:ws|organization:org)_[A-Za-z0-9]{8}$/)
  .meta({ description: '`channel:<id>`, `workspace:<id>` or `organization:<id>`.' });
const destinationField = z.string().regex(/^(webhook|(?:sub|lst)_[A-Za-z0-9]{8})$/);
const givenInstant = z.iso.datetime({ offset: true });

export const replayInput = z
  .strictObject({
    scope: replayScopeField,
    since: givenInstant.meta({ description: 'Deliveries made at or after.' }),
    until: givenInstant.meta({ description: 'Deliveries made before; later than `since`.' }),
    statuses: z
      .array(z.enum(deliveryStatuses))
      .min(1)
      .max(deliveryStatuses.length)
      .meta({ description: 'Deliveries in one of these states when the replay is asked for.' }),
    eventTypes: z.array(z.enum(eventTypes)).min(1).max(eventTypes.length).optional(),
    destination: destinationField.optional().meta({
      description:
        "Where all of it goes: `webhook`, or a subscription or a listener of the channel where the scope is one. Each delivery's own where left out.",
    }),
    ratePerSecond: z
      .int()
      .min(1)
      .max(MAX_REPLAY_RATE)
      .optional()
      .meta({ description: `Events sent a second at most; ${DEFAULT_REPLAY_RATE} unless given.` }),
    dryRun: z.boolean().optional().meta({ description: 'Only counts.' }),
  })
  .refine(({ since, until }) => !(Date.parse(since) >= Date.parse(until)), {
    path: ['until'],
    message: 'must be later than since',
    ...besideOthers,
  })
  .refine(({ scope, destination = 'webhook' }) => destination === 'webhook' || /^channel:/.test(scope), {
    path: ['destination'],
    message: 'takes the scope of its channel',
    ...besideOthers,
  });
export type ReplayInput = z.output<typeof replayInput>;

/** A list needs to be told of what, by its scope or by the header. */
export function missingScope({ query, hasWorkspace }: GivenInput): string[] {
  if (query.scope !== undefined || hasWorkspace) return [];
  return ['query.scope: missing, and so is the header X-Workspace-Id'];
}

export const replayStartedSchema = z
  .strictObject({
    replayId: idField('replay', 'The replay.').nullable().meta({ description: 'Null for a dry run.' }),
    matched: z.int().min(0).meta({ description: 'How many events will go, each once to a destination.' }),
    ratePerSecond: z
      .int()
      .min(1)
      .meta({ description: 'Events sent a second at most; less than asked for where the named destination is slow.' }),
    unverifiedDestinations: z
      .int()
      .min(0)
      .meta({
        description: `Subscriptions that are sent to slowly, at most ${UNVERIFIED_REPLAY_RATE} a second for each host, because their origin is not that of a verified webhook of the organization. Set a webhook at that origin to verify them.`,
      }),
  })
  .meta({ id: 'ReplayStarted' });

export const replaySchema = z
  .strictObject({
    replayId: idField('replay', 'The replay.'),
    status: z.enum(replayStatuses),
    scope: replayScopeField,
    since: instantField,
    until: instantField,
    statuses: z.array(z.enum(deliveryStatuses)),
    eventTypes: z.array(z.enum(eventTypes)).nullable(),
    destination: destinationField.nullable(),
    ratePerSecond: z.int(),
    matched: z
      .int()
      .meta({ description: 'How many events the plan has; while it is being made, how many were counted.' }),
    sent: z.int().meta({ description: 'How many have become new deliveries.' }),
    delivered: z.int().meta({ description: 'New deliveries that the receiver has accepted.' }),
    failed: z.int().meta({ description: 'New deliveries that have ended otherwise, and events that were gone.' }),
    waiting: z.int().meta({ description: 'New deliveries that are pending or retrying.' }),
    createdAt: instantField,
    startedAt: instantField.nullable().meta({ description: 'When the plan was complete and the first could go.' }),
    endedAt: instantField.nullable(),
    workflowId: z.string(),
  })
  .meta({ id: 'Replay' });
export type ReplayBody = z.output<typeof replaySchema>;

export const replayListQuery = z.strictObject({
  scope: replayScopeField.optional().meta({ description: 'The workspace in X-Workspace-Id where left out.' }),
  ...pageQuery,
});

export const replayListSchema = z
  .strictObject({ replays: z.array(replaySchema), nextCursor: nextCursorField })
  .meta({ id: 'ReplayList' });
