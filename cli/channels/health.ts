import { type Command, Option } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { healthStatuses, type HealthStatus } from '../../contract/channels/health.ts';
import { addCommand } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { type CellValue, type Column, type Field, formatTime, timeCell } from '../terminal/output.ts';

type Health = Schema<'AccountHealth'>;

export function addAccountHealth(program: Command, act: Act): void {
  withPages(
    addCommand(program, 'health [channel]', {
      summary: "Show what the platform says about a channel's account, or list all channels",
      examples: [
        'channels health --status warning',
        'channels health ch_4fT9aPq2 --refresh',
        "channels health ch_4fT9aPq2 --json | jq -r '.reasons[].message'",
      ],
    })
      .option('--refresh', 'check now; needs a channel')
      .addOption(new Option('--status <status>', 'list only channels with this status').choices(healthStatuses)),
  ).action(act(health));
}

interface HealthOptions extends PageOptions {
  readonly refresh?: boolean;
  readonly status?: HealthStatus;
}

async function health(run: Run, ch: string | undefined, options: HealthOptions): Promise<void> {
  if (ch === undefined) return await list(run, options);
  const client = await run.client();
  const params = { params: { path: { ch } } };
  const answer = options.refresh
    ? await client.post('/channels/{ch}/health/refresh', params)
    : await client.get('/channels/{ch}/health', params);
  run.output.record(answer, fieldsOf(answer));
}

const columns: readonly Column<Health>[] = [
  { title: 'CHANNEL', of: ({ channelId }) => channelId },
  { title: 'NAME', of: ({ name, username }) => name ?? username },
  { title: 'HEALTH', of: statusCell },
  { title: 'REASONS', of: ({ reasons }) => reasons.map(({ code }) => code).join(', ') },
  { title: 'QUALITY', of: ({ quality }) => quality },
  { title: 'TIER', of: ({ tier }) => tier },
  { title: 'CHECKED (UTC)', of: ({ checkedAt }) => timeCell(checkedAt) },
];

async function list(run: Run, { status, refresh: _refresh, ...options }: HealthOptions): Promise<void> {
  const ws = await run.workspaceId();
  const client = await run.client();
  await showList(run, options, {
    name: 'channels',
    columns,
    empty: 'No channels found.',
    read: (query) =>
      client.get('/workspaces/{ws}/channel-health', {
        params: { path: { ws }, query: omitUndefined({ ...query, status }) },
      }),
  });
}

const tones = { healthy: 'good', warning: 'busy', failing: 'bad', unknown: 'quiet' } as const;

function statusCell({ status }: Pick<Health, 'status'>): CellValue {
  return { text: status, tone: tones[status] };
}

function fieldsOf(answer: Health): Field[] {
  const { permissions, lastFailure } = answer;
  const optional: readonly (readonly [string, string | null | undefined])[] = [
    ['Quality', answer.quality],
    ['Tier', answer.tier],
    ['Throughput', answer.throughput],
    ['Account', answer.accountStatus],
    ['Name', answer.name],
    ['Name review', answer.nameStatus],
    ['User name', answer.username],
    ['Picture', answer.pictureUrl],
    ['Business account', answer.businessAccountId],
    ['Granted permissions', permissions && (permissions.granted.join(', ') || 'none')],
    ['Missing permissions', permissions && (permissions.missing.join(', ') || 'none')],
    ['Subscribed events', answer.subscription?.fields.join(', ')],
    ['Missing events', answer.subscription?.missing.join(', ')],
    ['Last failure', lastFailure && `${lastFailure.code} at ${formatTime(lastFailure.at)}`],
  ];
  return [
    ['Channel', answer.channelId],
    ['Health', statusCell(answer)],
    ...answer.reasons.map(({ code, message }): Field => ['Reason', `${code}: ${message}`]),
    ['Checked', timeCell(answer.checkedAt) ?? 'not yet'],
    ...optional.flatMap(([name, value]): Field[] => (value ? [[name, value]] : [])),
    ['Credential ends', timeCell(answer.credentialExpiresAt) ?? (answer.checkedAt === null ? 'unknown' : 'never')],
  ];
}
