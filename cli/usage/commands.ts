import type { Schema } from '../../client/create-client.ts';
import { parseTime } from '../commands/arguments.ts';
import { command } from '../commands/definition.ts';
import { type Kind, oneOf } from '../commands/flags.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { formatTime, type View } from '../terminal/output.ts';

type Row = Schema<'Usage'>['usage'][number];

const day: Kind<string | undefined> = {
  convert: (text: string | undefined, world) => parseTime(text, world)?.slice(0, 'yyyy-mm-dd'.length),
};

export const usage = command('usage', {
  summary: 'Show what the organization was used for, by day or month',
  examples: ['--since 90d --group-by month', '--by channel --csv > usage.csv'],
  flags: {
    since: ['--since <time>', 'first day: 7d ago or a date (default: 30d)', day],
    until: ['--until <time>', 'day after the last one (default: tomorrow)', day],
    groupBy: ['--group-by <step>', 'length of a row (default: day)', oneOf(['day', 'month'])],
    by: [
      '--by <level>',
      'what each row is for (default: organization)',
      oneOf(['organization', 'workspace', 'channel']),
    ],
    workspaceId: ['--only-workspace <id>', 'ID of the workspace to count'],
    channelId: ['--channel <id>', 'ID of the channel to count'],
    csv: ['--csv', 'print CSV'],
  },
  async run(run, _, { csv, ...filters }) {
    const client = await run.client();
    const org = await run.organizationId();
    const query = omitUndefined(filters);
    const { output } = run;
    if (csv) {
      const path = `/organizations/${encodeURIComponent(org)}/usage/csv?${new URLSearchParams({ ...query })}`;
      const { body } = await client.fetch(path);
      if (body !== null) for await (const chunk of body) output.raw(chunk);
      return;
    }
    const found = await client.get('/organizations/{org}/usage', { params: { path: { org }, query } });
    if (output.isJson) return output.json(found);
    if (found.usage.length === 0) output.note('No usage found.');
    else output.table(found.usage, columnsFor(filters.by));
    const until = formatTime(found.countedUntil);
    output.note(until === null ? 'The first count is still running.' : `Counted until ${until} UTC.`);
    if (!found.isComplete) output.note('There are too many rows. Use a shorter span or --group-by month.');
  },
});

function columnsFor(by: 'organization' | 'workspace' | 'channel' = 'organization'): View<Row> {
  return {
    'DAY (UTC)': 'day',
    ...(by !== 'organization' && { WORKSPACE: 'workspaceId' as const }),
    ...(by === 'channel' && { CHANNEL: 'channelId' as const }),
    EVENTS: 'events',
    DELIVERIES: 'deliveries',
    ATTEMPTS: 'attempts',
    SENDS: 'sends',
    PUBLISHES: 'publishes',
  };
}
