import { z } from 'zod';
import { erasureCounts, erasureKinds, erasureStatuses, erasureSteps } from '../../contract/erasures/erasure.ts';
import {
  idField,
  instantField,
  listQuery,
  namedObject,
  namedPage,
  noControlCharacters,
  visibleLine,
} from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byPrincipals, notAgents } from '../definitions/route-definition.ts';

const eventScope = z.strictObject({ event: idField('event', 'The event to erase.') }).describe('One event.');

/** Also for exports, so that an export contains what an erasure removes. */
export const senderFields = {
  sender: z
    .string()
    .min(1)
    .max(200)
    .regex(noControlCharacters, 'must have no control characters')
    .describe(
      'The sender, as in `sender` of a delivery, or another id of the same person. A phone number may have its plus sign and spaces.',
    ),
  workspaceId: idField('workspace', 'Optional. Only in this workspace, which may be deleted.').optional(),
  channelId: idField('channel', 'Optional. Only of this channel.').optional(),
};
const senderScope = z
  .strictObject(senderFields)
  .describe('All events that concern a person until now, under any id that events name together with this one.');
const workspaceScope = z
  .strictObject({ workspace: idField('workspace', 'The workspace or customer, which may be deleted.') })
  .describe('All events of a workspace until now, and its outbound calls.');

export const reasonField = visibleLine(500, z.string().trim()).describe(
  'Why. The audit log keeps it, so do not name the person.',
);

const erasureInput = namedObject('ErasureInput', {
  scope: z.union([eventScope, senderScope, workspaceScope]),
  reason: reasonField,
  dryRun: z.boolean().optional().describe('Counts the matching events and erases nothing.'),
});
export type ErasureInput = z.output<typeof erasureInput>;

const countFields = Object.fromEntries(erasureCounts.map((name) => [name, z.int().min(0)])) as Record<
  (typeof erasureCounts)[number],
  z.ZodInt
>;

const erasureSchema = namedObject('Erasure', {
  erasureId: idField('erasure', 'The erasure.'),
  kind: z.enum(erasureKinds),
  eventId: idField('event', 'The event, or null.').nullable(),
  workspaceId: idField('workspace', 'The workspace, or null for all.').nullable(),
  channelId: idField('channel', 'The channel, or null for all.').nullable(),
  reason: z.string(),
  status: z.enum(erasureStatuses),
  step: z
    .enum(erasureSteps)
    .describe('`answers` waits a minute for attempts that were under way when their event was erased.'),
  erased: z.strictObject(countFields).describe('What has been erased, by kind of data.'),
  createdAt: instantField,
  endedAt: instantField.nullable(),
});
export type ErasureBody = z.output<typeof erasureSchema>;

const erasureStartedSchema = namedObject('ErasureStarted', {
  erasureId: idField('erasure', 'The erasure.').nullable().describe('Null for a dry run.'),
  matched: z.int().min(0).describe('Events that match now; at most 100,000 are looked at.'),
});

const erasureListSchema = namedPage('ErasureList', { erasures: erasureSchema });

const managing = byPrincipals(notAgents, { within: 'organization', role: 'admin' });

export const erasureRoutes = defineRoutes('Erasures', {
  createErasure: {
    route: 'POST /organizations/{org}/erasures',
    summary: 'Erases the data of an event, a sender or a workspace before its retention ends',
    description:
      'Empties bodies, senders and responses and cancels waiting deliveries. States and counts stay. It cannot be undone.',
    access: managing,
    body: erasureInput,
    isForPeople: true,
    status: 202,
    answer: erasureStartedSchema,
    errors: ['EVENT_NOT_FOUND', 'CHANNEL_NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'LIMIT_REACHED', 'READ_TOO_SLOW'],
  },
  listErasures: {
    route: 'GET /organizations/{org}/erasures',
    summary: 'Lists the erasures of an organization, newest first',
    remarks: 'With their progress.',
    access: managing,
    query: listQuery,
    answer: erasureListSchema,
  },
  getErasure: {
    route: 'GET /organizations/{org}/erasures/{ers}',
    summary: 'Returns an erasure with its progress and report',
    remarks: 'The report counts what was erased.',
    access: managing,
    answer: erasureSchema,
  },
});
