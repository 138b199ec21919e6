import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { addCommand, choiceOption, parseTime } from '../commands/arguments.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { type Column, formatTime } from '../terminal/output.ts';

type Usage = Schema<'Usage'>;
type Row = Usage['usage'][number];

interface UsageOptions {
  readonly since?: string;
  readonly until?: string;
  readonly groupBy?: 'day' | 'month';
  readonly by?: 'organization' | 'workspace' | 'channel';
  readonly onlyWorkspace?: string;
  readonly channel?: string;
  readonly csv?: boolean;
}

export function addUsage(program: Command, act: Act): void {
  addCommand(program, 'usage', {
    summary: 'Show what the organization was used for, by day or month',
    examples: ['channels usage --since 90d --group-by month', 'channels usage --by channel --csv > usage.csv'],
  })
    .option('--since <time>', 'first day: 7d ago or a date (default: 30d)')
    .option('--until <time>', 'day after the last one (default: tomorrow)')
    .addOption(choiceOption('--group-by <step>', 'length of a row (default: day)', ['day', 'month']))
    .addOption(
      choiceOption('--by <level>', 'what each row is for (default: organization)', [
        'organization',
        'workspace',
        'channel',
      ]),
    )
    .option('--only-workspace <id>', 'ID of the workspace to count')
    .option('--channel <id>', 'ID of the channel to count')
    .option('--csv', 'print CSV')
    .action(act(usage));
}

async function usage(run: Run, options: UsageOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const params = { path: { org }, query: queryOf(run, options) };
  const { output } = run;
  if (options.csv) {
    const query = new URLSearchParams({ ...params.query });
    const { body } = await client.fetch(`/organizations/${encodeURIComponent(org)}/usage/csv?${query}`);
    if (body !== null) for await (const chunk of body) output.raw(chunk);
    return;
  }
  const found = await client.get('/organizations/{org}/usage', { params });
  if (output.isJson) return output.json(found);
  if (found.usage.length === 0) output.note('No usage found.');
  else output.table(found.usage, columnsFor(options.by));
  const until = formatTime(found.countedUntil);
  output.note(until === null ? 'The first count is still running.' : `Counted until ${until} UTC.`);
  if (!found.isComplete) output.note('There are too many rows. Use a shorter span or --group-by month.');
}

function queryOf({ world }: Run, { since, until, groupBy, by, onlyWorkspace, channel }: UsageOptions) {
  const dayOf = (time: string | undefined): string | undefined => parseTime(time, world)?.slice(0, 10);
  const places = { workspaceId: onlyWorkspace, channelId: channel };
  return omitUndefined({ since: dayOf(since), until: dayOf(until), groupBy, by, ...places });
}

function columnsFor(by: UsageOptions['by'] = 'organization'): Column<Row>[] {
  return [
    { title: 'DAY (UTC)', of: ({ day }) => day },
    ...(by === 'organization' ? [] : [{ title: 'WORKSPACE', of: ({ workspaceId }: Row) => workspaceId }]),
    ...(by === 'channel' ? [{ title: 'CHANNEL', of: ({ channelId }: Row) => channelId }] : []),
    { title: 'EVENTS', of: ({ events }) => events },
    { title: 'DELIVERIES', of: ({ deliveries }) => deliveries },
    { title: 'ATTEMPTS', of: ({ attempts }) => attempts },
    { title: 'SENDS', of: ({ sends }) => sends },
    { title: 'PUBLISHES', of: ({ publishes }) => publishes },
  ];
}
