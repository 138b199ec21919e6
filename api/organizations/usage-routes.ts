import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import {
  MAX_CSV_ROWS,
  MAX_USAGE_ROWS,
  type UsageQueryInput,
  usageRoutes as routes,
  usageSpan,
} from '../../openapi/usage/routes.ts';
import { findUsagePlace, readCountedUntil, readUsage, type UsageRow } from '../../db/usage/read-usage.ts';
import { InvalidRequest, NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { usageCounts } from '../../contract/upkeep/usage.ts';
import { inSlices, type NextTurn } from '../requests/loop-turns.ts';

export function mountUsageRoutes(mount: Mount): void {
  const { readDb } = mount.deps;

  mountRoute(mount, routes.getUsage, async ({ organization, query }) => {
    const span = usageSpan(query, Date.now());
    // Read before the rows, which may be counted further in the meantime.
    const countedUntil = await readCountedUntil(readDb);
    const rows = await readRows(readDb, { organizationId: organization.id, query, limit: MAX_USAGE_ROWS + 1 });
    return {
      ...span,
      countedUntil: countedUntil?.toISOString() ?? null,
      usage: rows.slice(0, MAX_USAGE_ROWS),
      isComplete: rows.length <= MAX_USAGE_ROWS,
    };
  });

  mountRoute(mount, routes.exportUsage, async ({ organization, query }) => {
    const rows = await readRows(readDb, { organizationId: organization.id, query, limit: MAX_CSV_ROWS + 1 });
    if (rows.length > MAX_CSV_ROWS) {
      throw new InvalidRequest(`query.since: more than ${MAX_CSV_ROWS} rows match. Use a shorter span or months.`);
    }
    const bytes = await formatUsageCsv(rows, mount.deps.nextTurn);
    return { bytes: Readable.from([bytes]), contentType: 'text/csv; charset=utf-8', length: bytes.length };
  });
}

interface ReadRows {
  readonly organizationId: number;
  readonly query: UsageQueryInput;
  readonly limit: number;
}

async function readRows(db: Knex, { organizationId, query, limit }: ReadRows): Promise<UsageRow[]> {
  const { workspaceId, channelId, groupBy: step = 'day', by: level = 'organization' } = query;
  const place = { organizationId, workspaceId, channelId };
  const { hasWorkspace, hasChannel } = await findUsagePlace(db, place);
  if (!hasWorkspace) throw new NotFound('WORKSPACE_NOT_FOUND');
  if (!hasChannel) throw new NotFound('CHANNEL_NOT_FOUND');
  return await readUsage(db, { ...place, ...usageSpan(query, Date.now()), step, level, limit });
}

const columns = ['day', 'workspaceId', 'channelId', ...usageCounts] as const;

/** As in RFC 4180. Dates, ids and numbers need no quotes and are no formulas. */
export async function formatUsageCsv(rows: readonly UsageRow[], next?: NextTurn): Promise<Buffer> {
  const lines = [columns.join(',')];
  for await (const row of inSlices(rows, { bytesOf: () => 0, next })) {
    lines.push(columns.map((column) => row[column] ?? '').join(','));
  }
  return Buffer.from([...lines, ''].join('\r\n'));
}
