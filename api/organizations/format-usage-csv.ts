import { usageCounts } from '../../contract/upkeep/usage.ts';
import type { UsageRow } from '../../db/usage/read-usage.ts';
import { inSlices, type NextTurn } from '../requests/loop-turns.ts';

const columns = ['day', 'workspaceId', 'channelId', ...usageCounts] as const;

/** As in RFC 4180. Dates, ids and numbers need no quotes and are no formulas. */
export async function formatUsageCsv(rows: readonly UsageRow[], next?: NextTurn): Promise<Buffer> {
  const lines = [columns.join(',')];
  for await (const row of inSlices(rows, { bytesOf: () => 0, next })) {
    lines.push(columns.map((column) => row[column] ?? '').join(','));
  }
  return Buffer.from([...lines, ''].join('\r\n'));
}
