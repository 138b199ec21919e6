import type { Schema } from '../../client/create-client.ts';
import { deliveryStatuses } from '../../contract/deliveries/status.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { command, group } from '../commands/definition.ts';
import {
  type Flags,
  type Given,
  idempotencyKey,
  type Kind,
  localText,
  pages,
  someOf,
  spanOfReplay,
  wholeNumber,
  yes,
} from '../commands/flags.ts';
import { showList } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { route } from '../commands/route.ts';
import type { Run } from '../commands/run.ts';
import { HTTP_STATUS_HELP } from '../deliveries/commands.ts';
import { organizationUrl } from '../links/dashboard-url.ts';
import { workflowUrl } from '../links/workflow-url.ts';
import { CliError, exitCodes, usageError } from '../terminal/failures.ts';
import { type Field, fieldsOf, formatTime, linkCell, toned, type View } from '../terminal/output.ts';
import { readUntilEnd } from '../terminal/pause.ts';
import { canAsk, confirm } from '../terminal/prompt.ts';

type Replay = Schema<'Replay'>;

const status = toned('status', {
  planning: 'busy',
  running: 'busy',
  paused: 'quiet',
  completed: 'good',
  cancelled: 'quiet',
});

const fields: View<Replay> = {
  Replay: 'replayId',
  Status: status,
  Scope: 'scope',
  Received: ({ since, until }) => `${formatTime(since)} to ${formatTime(until)}`,
  Statuses: 'statuses',
  'Event types': ({ eventTypes: types }) => types?.join(', ') ?? 'all',
  Channels: ({ channelIds }) => channelIds?.join(', ') ?? 'all of the scope',
  'Sent to': ({ originalDestinations }) => originalDestinations?.join(', ') ?? 'any destination',
  'HTTP statuses': ({ httpStatuses }) => httpStatuses?.join(', ') ?? 'any',
  'Selected by': ({ selectedBy }) => selectedBy.join(', ') || undefined,
  Destination: ({ destination }) => destination ?? 'original destination of each event',
  Rate: ({ ratePerSecond }) => `up to ${ratePerSecond} per second`,
  Sent: ({ sent, matched }) => `${sent} of ${matched}`,
  Delivered: 'delivered',
  Failed: 'failed',
  Waiting: 'waiting',
  'Ended (UTC)': 'endedAt',
  Workflow: 'workflowId',
};

async function linksOf(run: Run, { replayId, workflowId }: Replay): Promise<Field[]> {
  if (run.output.isJson) return [];
  const page = await organizationUrl(run, `replays/${replayId}`).catch(() => undefined);
  const workflow = workflowUrl(run.world, workflowId);
  return [
    ...(page ? [['Dashboard', linkCell(page)] satisfies Field] : []),
    ...(workflow ? [['Workflow page', linkCell(workflow)] satisfies Field] : []),
  ];
}

async function read(run: Run, rpl: string): Promise<Replay> {
  return await (await run.client()).get('/replays/{rpl}', { params: { path: { rpl } } });
}

async function waitForEnd(run: Run, rpl: string): Promise<Replay> {
  return await readUntilEnd(
    run,
    () => read(run, rpl),
    ({ status: state, sent, matched, delivered, failed }) => {
      if (state === 'completed') return undefined;
      if (state === 'paused' || state === 'cancelled') {
        throw new CliError(`${rpl} is ${state}: ${sent} of ${matched} sent.`, { exitCode: exitCodes.failure });
      }
      if (state === 'planning') return [`planning: ${matched} events found`];
      return [
        `${sent}/${matched} sent, ${delivered} delivered, ${failed} failed`,
        matched > 0 ? sent / matched : undefined,
      ];
    },
  );
}

/** Separated by commas, and not checked. */
const split: Kind<string[] | undefined> = { convert: (text: string | undefined) => text?.split(',') };

const selection = {
  channel: ['--channel <id>', 'ID of the channel to replay', localText],
  scope: ['--scope <scope>', 'scope to replay: channel:<id>, workspace:<id> or organization:<id>'],
  ...spanOfReplay,
  statuses: ['--status <list>', 'current delivery statuses to replay; default: exhausted', someOf(deliveryStatuses)],
  eventTypes: ['--event-type <list>', 'event types to replay', someOf(eventTypes)],
  channelIds: ['--channels <list>', 'IDs of channels of the scope, comma-separated (default: all)', split],
  originalDestinations: [
    '--original-destination <list>',
    'where the deliveries went: `webhook`, or IDs of subscriptions and listeners, comma-separated (default: anywhere)',
    split,
  ],
  httpStatuses: ['--http-status <list>', HTTP_STATUS_HELP, split],
  sender: ['--sender <id>', 'platform ID of the sender'],
  platformMessageId: ['--message-id <id>', 'platform ID of the message'],
  search: ['--search <text>', 'an ID, or a text in the body of the event'],
  destination: [
    '--destination <where>',
    '`webhook`, or the ID of a subscription or listener (default: original destination of each event)',
  ],
  ratePerSecond: ['--rate <n>', 'maximum number of events per second', wholeNumber],
} as const satisfies Flags;

function bodyOf({ channel, scope, statuses = ['exhausted'], ...filters }: Given<typeof selection>) {
  if ((channel === undefined) === (scope === undefined)) throw usageError('Use either --channel or --scope.');
  const { since, until, ...others } = filters;
  return { scope: scope ?? `channel:${channel}`, since, until, statuses, ...omitUndefined(others) };
}

/** The filters of a confirmation, as they were given. */
function filterTexts(options: Given<typeof selection>): string[] {
  const { eventTypes: types, channelIds, originalDestinations, httpStatuses, sender, platformMessageId } = options;
  const given = {
    'event types': types,
    channels: channelIds,
    'sent to': originalDestinations,
    'HTTP status': httpStatuses,
    sender,
    message: platformMessageId,
    search: options.search,
  };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${String(value)}`]));
}

type Counted = Pick<Schema<'ReplayStarted'>, 'matched' | 'isCountComplete'>;

export function countOf({ matched, isCountComplete }: Counted): string {
  return isCountComplete ? String(matched) : `at least ${matched}`;
}

const create = command('create', {
  summary: 'Replay past events',
  examples: [
    '--channel ch_4fT9aPq2 --since 24h --status exhausted --dry-run',
    '--channel ch_4fT9aPq2 --since 24h --status exhausted,skipped --wait',
    '--scope workspace:ws_8kLm3Qz1 --since 2026-01-31T08:00:00Z --until 2026-01-31T09:00:00Z --yes',
  ],
  flags: {
    ...selection,
    dryRun: ['--dry-run', 'count the events without sending them'],
    ...yes,
    wait: ['--wait', 'wait until all events are sent and show progress'],
    ...idempotencyKey,
  },
  async run(run, _, { dryRun, yes: isConfirmed, wait, idempotencyKey: key, ...selected }) {
    const { output, world } = run;
    const client = await run.client();
    const body = bodyOf(selected);
    const count = async () => await client.post('/replays', { body: { ...body, dryRun: true } });
    if (dryRun) {
      const { matched, isCountComplete } = await count();
      const counted = { matched, isCountComplete };
      return output.done({ replayId: null, ...counted }, `${countOf(counted)} events would be sent.`);
    }
    if (!isConfirmed) {
      const counted = canAsk(world) ? countOf(await count()) : 'all';
      const which = [`${body.statuses.join(', ')} since ${formatTime(body.since)}`, ...filterTexts(selected)].join(
        '; ',
      );
      await confirm(world, `Replay ${counted} events (${which}) of ${body.scope}?`, {});
    }
    const header = omitUndefined({ 'Idempotency-Key': key });
    const started = await client.post('/replays', { params: { header }, body });
    const { replayId } = started;
    const said = `Started ${replayId} with ${countOf(started)} events.`;
    if (!wait || replayId === null)
      return output.done(started, `${said} Check it with \`channels replays show ${replayId}\`.`);
    output.note(`${said} Ctrl-C stops waiting; the replay continues.`);
    const ended = await waitForEnd(run, replayId);
    output.record(ended, fieldsOf(fields, ended));
  },
});

const moved = (replay: Replay, [rpl]: readonly string[]) =>
  `${rpl} is ${replay.status}: ${replay.sent} of ${replay.matched} sent.`;

export const replays = group('replays', 'Replay past events in bulk', [
  create,
  command('list', {
    summary: 'List replays, newest first',
    examples: ['', '--scope channel:ch_4fT9aPq2'],
    flags: {
      ...pages,
      scope: ['--scope <scope>', 'channel:<id>, workspace:<id> or organization:<id> (default: the workspace)'],
    },
    async run(run, _, { scope, ...options }) {
      const client = scope === undefined ? await run.inWorkspace() : await run.client();
      await showList(run, options, {
        columns: {
          'CREATED (UTC)': 'createdAt',
          REPLAY: 'replayId',
          STATUS: status,
          SCOPE: 'scope',
          SENT: ({ sent, matched }) => `${sent}/${matched}`,
          DELIVERED: 'delivered',
          FAILED: 'failed',
        },
        read: (page) => client.get('/replays', { params: { query: { ...page, ...omitUndefined({ scope }) } } }),
      });
    },
  }),
  command('show <replay>', {
    summary: 'Show a replay and the outcome of its deliveries',
    examples: ['rpl_4fT9aPq2', 'rpl_4fT9aPq2 --wait'],
    flags: { wait: ['--wait', 'wait until all events are sent and show progress'] },
    async run(run, [rpl], { wait }) {
      const replay = wait ? await waitForEnd(run, rpl) : await read(run, rpl);
      run.output.record(replay, [...fieldsOf(fields, replay), ...(await linksOf(run, replay))]);
    },
  }),
  route('pause <replay>', 'POST /replays/{rpl}/pause', { summary: 'Pause a replay', done: moved }),
  route('resume <replay>', 'POST /replays/{rpl}/resume', { summary: 'Resume a paused replay', done: moved }),
  route('cancel <replay>', 'POST /replays/{rpl}/cancel', {
    summary: 'Cancel a replay; deliveries that it created continue',
    flags: yes,
    confirm: ([rpl]) => `Cancel ${rpl}? It cannot be resumed.`,
    done: moved,
  }),
]);
