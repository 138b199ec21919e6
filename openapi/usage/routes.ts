import { z } from 'zod';
import { usageLevels, usageSteps } from '../../contract/upkeep/usage.ts';
import { idField, instantField, namedObject } from '../definitions/fields.ts';
import { byScope, type UnvalidatedInput } from '../definitions/route-definition.ts';
import { scopeErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';

/** Days of 25 months, the default of `USAGE_MONTHS`, and a few more. */
const MAX_DAYS = 800;
export const MAX_USAGE_ROWS = 5_000;
export const MAX_CSV_ROWS = 100_000;
const DAY_MS = 86_400_000;
/** PostgreSQL has no year 0, which ISO 8601 allows. */
const EARLIEST_DAY = '2000-01-01';

const givenDay = z.iso.date({ error: 'must be a day, such as 2026-01-31' });

export const usageQuery = z.strictObject({
  since: givenDay.optional().describe(`First day, in UTC, not before ${EARLIEST_DAY}; 30 days ago by default.`),
  until: givenDay
    .optional()
    .describe(`Day after the last one, in UTC; tomorrow by default. At most ${MAX_DAYS} days after it begins.`),
  groupBy: z.enum(usageSteps).optional().describe('Length of a row: `day` (default) or `month`.'),
  by: z
    .enum(usageLevels)
    .optional()
    .describe('Whether each row is for the `organization` (default), a `workspace` or a `channel`.'),
  workspaceId: idField('workspace', 'Counts this workspace only, which may be deleted.').optional(),
  channelId: idField('channel', 'Counts this channel only, in all workspaces that held it.').optional(),
});
export type UsageQueryInput = z.output<typeof usageQuery>;

interface UsageSpan {
  readonly since: string;
  readonly until: string;
}

export function usageSpan({ since, until }: Partial<UsageQueryInput>, nowMs: number): UsageSpan {
  return { since: since ?? dayOf(nowMs - 30 * DAY_MS), until: until ?? dayOf(nowMs + DAY_MS) };
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The span must be positive and not too long. */
export function unusableSpan({ query, nowMs }: UnvalidatedInput): string[] {
  const given = usageQuery.safeParse(query);
  if (!given.success) return [];
  const { since, until } = usageSpan(given.data, nowMs);
  if (since < EARLIEST_DAY) return [`query.since: must be ${EARLIEST_DAY} or later.`];
  const days = (Date.parse(until) - Date.parse(since)) / DAY_MS;
  if (days <= 0) return ['query.until: must be later than `since`.'];
  return days > MAX_DAYS ? [`query.since: must be at most ${MAX_DAYS} days before \`until\`.`] : [];
}

const countField = (description: string) => z.int().min(0).describe(description);

const usageRowSchema = namedObject('UsageRow', {
  day: z.iso.date().describe('The day, or the first day of the month, in UTC.'),
  workspaceId: idField('workspace', 'The workspace; null by organization.').nullable(),
  channelId: idField('channel', 'The channel; null unless by channel.').nullable(),
  events: countField('Events that the platform sent, without repetitions.'),
  deliveries: countField('Deliveries that were created, including skipped ones and replays.'),
  attempts: countField('Attempts to deliver, by the day on which they began.'),
  sends: countField('Messages that the platform accepted, from the API and the gateway.'),
  publishes: countField('Posts that the platform published, from the API and the gateway.'),
});

const usageSchema = namedObject('Usage', {
  since: z.iso.date(),
  until: z.iso.date().describe('The day after the last one.'),
  countedUntil: instantField
    .nullable()
    .describe('What happened later may not be counted yet. Null while the first count runs.'),
  usage: z.array(usageRowSchema).describe('Oldest first. Days without any use are left out.'),
  isComplete: z.boolean().describe(`False if more than ${MAX_USAGE_ROWS} rows match; the newest are missing.`),
});

const reading = byScope('workspace.read', { within: 'organization', role: 'admin' });

export const usageRoutes = defineRoutes('Usage', {
  getUsage: {
    route: 'GET /organizations/{org}/usage',
    summary: 'Returns what an organization, its workspaces or channels were used for, by day or month',
    description: 'Counts outlive the events that they count.',
    isSlowRead: true,
    access: reading,
    query: usageQuery,
    problems: unusableSpan,
    answer: usageSchema,
    errors: scopeErrors,
  },
  exportUsage: {
    route: 'GET /organizations/{org}/usage/csv',
    summary: 'Returns the usage as a CSV file',
    description: `At most ${MAX_CSV_ROWS} rows. The header names the fields of the JSON response.`,
    isSlowRead: true,
    access: reading,
    query: usageQuery,
    problems: unusableSpan,
    answer: 'file',
    fileType: 'text/csv',
    errors: scopeErrors,
  },
});
