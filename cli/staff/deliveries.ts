import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { deliveryStatuses, type DeliveryStatus } from '../../contract/deliveries/status.ts';
import { eventTypes, type EventType } from '../../contract/event-types.ts';
import { addCommand, listOption, parseTimeRange } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { deliveryColumns, showDelivery, statusCell } from '../deliveries/delivery-view.ts';
import { describeHealth } from './describe-health.ts';
import { type Reasoned, staffClient, withReason } from './staff-client.ts';

export function addStaffDeliveries(staff: Command, act: Act): void {
  addSearch(staff, act);
  withReason(
    addCommand(staff, 'show <id>', {
      summary: 'Show a delivery with its payload and attempts, or the health of a channel',
      examples: [
        'channels staff show wd_4fT9aPq2 --reason "Ticket 813"',
        'channels staff show ch_4fT9aPq2 --reason "Ticket 813"',
      ],
    }),
  ).action(act(show));
  withReason(
    addCommand(staff, 'retry <delivery>', {
      summary: 'Retry a delivery now; starts a new schedule if it has ended',
      examples: ['channels staff retry wd_4fT9aPq2 --reason "Ticket 813: they fixed it"'],
    }),
  ).action(act(retry));
}

function addSearch(staff: Command, act: Act): void {
  withReason(
    withPages(
      addCommand(staff, 'search', {
        summary: 'Search deliveries of all organizations, newest first',
        examples: [
          'channels staff search --sender 15551230001 --reason "Ticket 812"',
          'channels staff search --channel ch_4fT9aPq2 --status retrying --reason "Ticket 812"',
        ],
      }),
    ),
  )
    .option('--sender <id>', 'platform ID of the sender')
    .option('--platform-message-id <id>', 'platform ID of the message')
    .option('--delivery <id>', 'ID of the delivery')
    .option('--event <id>', 'ID of the event')
    .option('--channel <id>', 'ID of the channel')
    .option('--in-workspace <id>', 'ID of the workspace')
    .option('--in-organization <id>', 'ID of the organization')
    .option('--destination <where>', '`webhook`, or the ID of a subscription or listener')
    .addOption(listOption('--status <list>', 'statuses to show', deliveryStatuses))
    .addOption(listOption('--event-type <list>', 'event types to show', eventTypes))
    .option('--since <time>', 'start time: 30m, 2h or 7d ago, or an ISO 8601 timestamp')
    .option('--until <time>', 'end time, exclusive (default: now)')
    .action(act(search));
}

interface SearchOptions extends PageOptions, Reasoned {
  readonly sender?: string;
  readonly platformMessageId?: string;
  readonly delivery?: string;
  readonly event?: string;
  readonly channel?: string;
  readonly inWorkspace?: string;
  readonly inOrganization?: string;
  readonly destination?: string;
  readonly status?: readonly DeliveryStatus[];
  readonly eventType?: readonly EventType[];
  readonly since?: string;
  readonly until?: string;
}

async function search(run: Run, options: SearchOptions): Promise<void> {
  const client = staffClient(run);
  const { reason, sender, platformMessageId, destination, status, eventType } = options;
  const filters = omitUndefined({
    ...{ sender, platformMessageId, destination, deliveryId: options.delivery, eventId: options.event },
    ...{ channelId: options.channel, workspaceId: options.inWorkspace, organizationId: options.inOrganization },
    ...{ status: status?.join(','), eventType: eventType?.join(',') },
    ...parseTimeRange(options, run.world),
  });
  await showList(run, options, {
    name: 'deliveries',
    empty: 'No deliveries found.',
    columns: [
      ...deliveryColumns,
      { title: 'CHANNEL', of: ({ channelId }: Schema<'StaffDeliverySummary'>) => channelId },
      { title: 'ORGANIZATION', of: ({ organizationName }) => organizationName },
    ],
    read: (page) => client.get('/staff/deliveries', { params: { query: { reason, ...filters, ...page } } }),
  });
}

async function show(run: Run, id: string, { reason }: Reasoned): Promise<void> {
  const client = staffClient(run);
  const query = { reason };
  if (!id.startsWith('ch_')) {
    const delivery = await client.get('/staff/deliveries/{wd}', { params: { path: { wd: id }, query } });
    return showDelivery(run.output, delivery);
  }
  const health = await client.get('/staff/channels/{ch}', { params: { path: { ch: id }, query } });
  run.output.record(health, describeHealth(health));
}

async function retry(run: Run, wd: string, { reason }: Reasoned): Promise<void> {
  const params = { path: { wd } };
  const answer = await staffClient(run).post('/staff/deliveries/{wd}/retry', { params, body: { reason } });
  run.output.record(answer, [
    ['Delivery', answer.deliveryId],
    ['Status', statusCell(answer.status)],
  ]);
}
