import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { deliveryStatuses, type DeliveryStatus } from '../../contract/deliveries/status.ts';
import { eventTypes, type EventType } from '../../contract/event-types.ts';
import { parseTime, addCommand, listOption, parseWholeNumber } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { formatTime } from '../terminal/output.ts';
import { canAsk, confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';
import { HTTP_STATUS_HELP } from '../deliveries/deliveries.ts';

interface CreateOptions {
  readonly channel?: string;
  readonly scope?: string;
  readonly since: string;
  readonly until: string;
  readonly status?: readonly DeliveryStatus[];
  readonly eventType?: readonly EventType[];
  readonly channels?: string;
  readonly originalDestination?: string;
  readonly httpStatus?: string;
  readonly sender?: string;
  readonly messageId?: string;
  readonly search?: string;
  readonly destination?: string;
  readonly rate?: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly wait?: boolean;
  readonly idempotencyKey?: string;
}

interface Afterwards {
  readonly waitForEnd: (run: Run, rpl: string) => Promise<Schema<'Replay'>>;
  readonly showReplay: (run: Run, replay: Schema<'Replay'>) => void;
}

export function addCreate(replays: Command, act: Act, afterwards: Afterwards): void {
  addCommand(replays, 'create', {
    summary: 'Replay past events',
    examples: [
      'channels replays create --channel ch_4fT9aPq2 --since 24h --status exhausted --dry-run',
      'channels replays create --channel ch_4fT9aPq2 --since 24h --status exhausted,skipped --wait',
      'channels replays create --scope workspace:ws_8kLm3Qz1 --since 2026-01-31T08:00:00Z --until 2026-01-31T09:00:00Z --yes',
    ],
  })
    .option('--channel <id>', 'ID of the channel to replay')
    .option('--scope <scope>', 'scope to replay: channel:<id>, workspace:<id> or organization:<id>')
    .requiredOption('--since <time>', 'start time: 30m, 2h or 7d ago, or an ISO 8601 timestamp')
    .option('--until <time>', 'end time, exclusive', 'now')
    .addOption(
      listOption('--status <list>', 'current delivery statuses to replay; default: exhausted', deliveryStatuses),
    )
    .addOption(listOption('--event-type <list>', 'event types to replay', eventTypes))
    .option('--channels <list>', 'IDs of channels of the scope, comma-separated (default: all)')
    .option(
      '--original-destination <list>',
      'where the deliveries went: `webhook`, or IDs of subscriptions and listeners, comma-separated (default: anywhere)',
    )
    .option('--http-status <list>', HTTP_STATUS_HELP)
    .option('--sender <id>', 'platform ID of the sender')
    .option('--message-id <id>', 'platform ID of the message')
    .option('--search <text>', 'an ID, or a text in the body of the event')
    .option(
      '--destination <where>',
      '`webhook`, or the ID of a subscription or listener (default: original destination of each event)',
    )
    .option('--rate <n>', 'maximum number of events per second', parseWholeNumber)
    .option('--dry-run', 'count the events without sending them')
    .option('--yes', 'skip the confirmation')
    .option('--wait', 'wait until all events are sent and show progress')
    .option('--idempotency-key <key>', 'key that makes a retry safe')
    .action(act((run, options: CreateOptions) => create(run, options, afterwards)));
}

export function countOf({
  matched,
  isCountComplete,
}: Pick<Schema<'ReplayStarted'>, 'matched' | 'isCountComplete'>): string {
  return isCountComplete ? String(matched) : `at least ${matched}`;
}

async function create(run: Run, options: CreateOptions, { waitForEnd, showReplay }: Afterwards): Promise<void> {
  const { output, world } = run;
  const client = await run.client();
  const body = bodyOf(run, options);
  const count = async () => await client.post('/replays', { body: { ...body, dryRun: true } });
  if (options.dryRun) {
    const counted = await count();
    const { matched, isCountComplete } = counted;
    return output.done({ replayId: null, matched, isCountComplete }, `${countOf(counted)} events would be sent.`);
  }
  if (!options.yes) {
    const counted = canAsk(world) ? countOf(await count()) : 'all';
    const which = [`${body.statuses.join(', ')} since ${formatTime(body.since)}`, ...filterTexts(options)].join('; ');
    await confirm(world, `Replay ${counted} events (${which}) of ${body.scope}?`, {});
  }
  const header = omitUndefined({ 'Idempotency-Key': options.idempotencyKey });
  const started = await client.post('/replays', { params: { header }, body });
  if (!options.wait || started.replayId === null) {
    return output.done(
      started,
      `Started ${started.replayId} with ${countOf(started)} events. Check it with \`channels replays show ${started.replayId}\`.`,
    );
  }
  output.note(
    `Started ${started.replayId} with ${countOf(started)} events. Ctrl-C stops waiting; the replay continues.`,
  );
  const ended = await waitForEnd(run, started.replayId);
  run.progress.end();
  showReplay(run, ended);
}

function bodyOf({ world }: Run, options: CreateOptions) {
  const { channel, scope, status = ['exhausted'], eventType, destination, rate, sender, search } = options;
  if ((channel === undefined) === (scope === undefined)) throw usageError('Use either --channel or --scope.');
  return {
    scope: scope ?? `channel:${channel}`,
    since: parseTime(options.since, world) ?? '',
    until: parseTime(options.until, world) ?? '',
    statuses: [...status],
    ...omitUndefined({
      eventTypes: eventType && [...eventType],
      channelIds: options.channels?.split(','),
      originalDestinations: options.originalDestination?.split(','),
      httpStatuses: options.httpStatus?.split(','),
      ...{ sender, platformMessageId: options.messageId, search, destination, ratePerSecond: rate },
    }),
  };
}

/** The filters of a confirmation, as they were given. */
function filterTexts(options: CreateOptions): string[] {
  const { eventType, channels, originalDestination, httpStatus, sender, messageId, search } = options;
  const given = {
    'event types': eventType?.join(','),
    channels,
    ...{ 'sent to': originalDestination, 'HTTP status': httpStatus, sender, message: messageId, search },
  };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
}
