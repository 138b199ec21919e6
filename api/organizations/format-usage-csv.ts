import { usageCounts } from '../../contract/upkeep/usage.ts';
import type { UsageRow } from '../../db/usage/read-usage.ts';

const columns = ['day', 'workspaceId', 'channelId', ...usageCounts] as const;

/** As in RFC 4180. Dates, ids and numbers need no quotes and are no formulas. */
export function formatUsageCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map((row) => columns.map((column) => row[column] ?? '').join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}
