import type { Command } from 'commander';
import { deliveryStatuses, type DeliveryStatus } from '../../contract/deliveries/status.ts';
import { eventTypes, type EventType } from '../../contract/event-types.ts';
import { addGroup, addCommand, listOption, parseTimeRange } from '../commands/arguments.ts';
import { deliveryColumns, destinationText, showDelivery } from './delivery-view.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type Field, linkCell } from '../terminal/output.ts';
import { dashboardField } from '../links/dashboard-url.ts';
import { workflowUrl } from '../links/workflow-url.ts';
import { confirm } from '../terminal/prompt.ts';
import { safeBlock } from '../../contract/text/safe-text.ts';
import type { Act, Run } from '../commands/run.ts';
import { addCurl } from './curl.ts';
import { addFollow } from './follow.ts';

export const HTTP_STATUS_HELP = 'responses to the last attempt: 5xx, 404 or none, comma-separated';

export function addDeliveries(program: Command, act: Act): void {
  const deliveries = addGroup(program, 'deliveries', 'View, retry and replay deliveries');
  addList(deliveries, act);
  addCommand(deliveries, 'show <delivery>', {
    summary: 'Show a delivery with its payload and attempts',
    examples: ['channels deliveries show wd_4fT9aPq2', 'channels deliveries show wd_4fT9aPq2 --payload > event.json'],
  })
    .option('--payload', 'print only the payload, byte for byte')
    .action(act(show));
  addCurl(deliveries, act);
  addFollow(deliveries, act);
  addCommand(deliveries, 'retry <delivery>', {
    summary: 'Retry a delivery now; starts a new schedule if it has ended',
    examples: ['channels deliveries retry wd_4fT9aPq2'],
  }).action(act(retry));
  addCommand(deliveries, 'cancel <delivery>', {
    summary: 'Cancel a waiting delivery',
    examples: ['channels deliveries cancel wd_4fT9aPq2 --yes'],
  })
    .option('--yes', 'skip the confirmation')
    .action(act(cancel));
  addCommand(deliveries, 'replay <delivery>', {
    summary: 'Replay an event as a new delivery; for many events, see `channels replays create`',
    examples: [
      'channels deliveries replay wd_4fT9aPq2',
      'channels deliveries replay wd_4fT9aPq2 --destination sub_8kLm3Qz1',
    ],
  })
    .option(
      '--destination <where>',
      '`webhook`, or the ID of a subscription or listener (default: the original destination)',
    )
    .option('--idempotency-key <key>', 'key that makes a retry safe')
    .action(act(replay));
}

function addList(deliveries: Command, act: Act): void {
  const command = addCommand(deliveries, 'list', {
    summary: 'List deliveries, newest first',
    examples: [
      'channels deliveries list --channel ch_4fT9aPq2 --status exhausted --since 24h',
      'channels deliveries list --status retrying,exhausted   # failing deliveries of the whole workspace',
      'channels deliveries list --http-status 5xx,none --search "my order"',
      "channels deliveries list --status exhausted --all --json | jq -r '.deliveries[].deliveryId'",
    ],
  })
    .option('--channel <id>', 'ID of the channel (default: all channels of the workspace)')
    .addOption(listOption('--status <list>', 'statuses to show', deliveryStatuses))
    .addOption(listOption('--event-type <list>', 'event types to show', eventTypes))
    .option('--since <time>', 'start time: 30m, 2h or 7d ago, or an ISO 8601 timestamp')
    .option('--until <time>', 'end time, exclusive (default: now)')
    .option('--destination <where>', '`webhook`, or the ID of a subscription or listener')
    .option('--sender <id>', 'platform ID of the sender')
    .option('--message-id <id>', 'platform ID of the message')
    .option('--http-status <list>', HTTP_STATUS_HELP)
    .option('--search <text>', 'an ID, or a text in the body of the event');
  withPages(command).action(act(list));
}

interface ListOptions extends PageOptions {
  readonly channel?: string;
  readonly status?: readonly DeliveryStatus[];
  readonly eventType?: readonly EventType[];
  readonly since?: string;
  readonly until?: string;
  readonly destination?: string;
  readonly sender?: string;
  readonly messageId?: string;
  readonly httpStatus?: string;
  readonly search?: string;
}

async function list(run: Run, options: ListOptions): Promise<void> {
  const { channel, status, eventType, destination, sender, messageId, httpStatus, search } = options;
  const filters = omitUndefined({
    ...{ status: status?.join(','), eventType: eventType?.join(',') },
    ...{ destination, sender, platformMessageId: messageId, httpStatus, search },
    scope: channel && `channel:${channel}`,
    ...parseTimeRange(options, run.world),
  });
  const client = await run.inWorkspace();
  await showList(run, options, {
    name: 'deliveries',
    columns: deliveryColumns,
    empty: 'No deliveries found.',
    read: (query) => client.get('/deliveries', { params: { query: { ...filters, ...query } } }),
  });
}

function at(wd: string) {
  return { params: { path: { wd } } };
}

async function show(run: Run, wd: string, { payload }: { payload?: boolean }): Promise<void> {
  const { output, world } = run;
  const delivery = await (await run.inWorkspace()).get('/deliveries/{wd}', at(wd));
  if (payload) return output.raw(world.stdout.isTTY ? `${safeBlock(delivery.payload)}\n` : delivery.payload);
  const workflow = workflowUrl(world, delivery.workflowId);
  const links = await dashboardField(run, { page: `deliveries/${wd}` });
  showDelivery(output, delivery, [
    ...links,
    ...(workflow ? [['Workflow page', linkCell(workflow)] satisfies Field] : []),
  ]);
}

async function retry({ inWorkspace, output }: Run, wd: string): Promise<void> {
  const answer = await (await inWorkspace()).post('/deliveries/{wd}/retry', at(wd));
  output.done(answer, `Retrying ${wd} (${answer.status}).`);
}

async function cancel({ inWorkspace, output, world }: Run, wd: string, options: { yes?: boolean }): Promise<void> {
  await confirm(world, `Cancel ${wd}? Its event is not sent.`, options);
  output.done(await (await inWorkspace()).post('/deliveries/{wd}/cancel', at(wd)), `Cancelled ${wd}.`);
}

interface ReplayOptions {
  readonly destination?: string;
  readonly idempotencyKey?: string;
}

async function replay({ inWorkspace, output }: Run, wd: string, options: ReplayOptions): Promise<void> {
  const made = await (
    await inWorkspace()
  ).post('/deliveries/{wd}/replay', {
    params: { path: { wd }, header: omitUndefined({ 'Idempotency-Key': options.idempotencyKey }) },
    body: omitUndefined({ destination: options.destination }),
  });
  output.done(made, `Created ${made.deliveryId} to ${destinationText(made.destination) ?? 'no destination'}.`);
}
