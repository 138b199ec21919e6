import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { channelTypes, type ChannelType } from '../../contract/event-types.ts';
import { addCommand, addGroup, choiceOption, parseTimeRange, parseWholeNumber } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { timeCell } from '../terminal/output.ts';
import { addStaffDeliveries } from './deliveries.ts';
import { addStaffReplays } from './replays.ts';
import { type Reasoned, staffClient, withReason } from './staff-client.ts';

export function addStaff(program: Command, act: Act): void {
  const staff = addGroup(program, 'staff', 'Help customers as support staff, with STAFF_API_KEY');
  staff.commandsGroup('Deliveries:');
  addStaffDeliveries(staff, act);
  staff.commandsGroup('Events:');
  addStaffReplays(staff, act);
  addUnrouted(staff, act);
  staff.commandsGroup('Audit:');
  withReason(
    withPages(
      addCommand(staff, 'audit', {
        summary: 'List what staff did, and what happened outside organizations',
        examples: ['channels staff audit --reason Review --since 7d'],
      }),
    ),
  )
    .option('--action <name>', 'action to show')
    .option('--actor <id>', 'ID of the staff key')
    .option('--since <time>', 'start time: 30m, 2h or 7d ago, or an ISO 8601 timestamp')
    .option('--until <time>', 'end time (default: now)')
    .action(act(audit));
}

function addUnrouted(staff: Command, act: Act): void {
  const unrouted = addGroup(staff, 'unrouted', 'Events of accounts that were not connected');
  withReason(
    withPages(
      addCommand(unrouted, 'list', {
        summary: 'List events of unknown channels, newest first',
        examples: ['channels staff unrouted list --resource 199999999999999 --reason "Ticket 812"'],
      }),
    ),
  )
    .addOption(choiceOption('--type <type>', 'type of the channel', channelTypes))
    .option('--resource <id>', 'platform ID of the number, account or Page')
    .option('--since <time>', 'start time: 30m, 2h or 7d ago, or an ISO 8601 timestamp')
    .option('--until <time>', 'end time (default: now)')
    .action(act(listUnrouted));
  withReason(
    addCommand(unrouted, 'send <channel>', {
      summary: 'Send the events of an account on to its channel, oldest first, each once',
      examples: ['channels staff unrouted send ch_4fT9aPq2 --reason "Ticket 812"'],
    }),
  )
    .option('--limit <n>', 'maximum number of events (default: 100)', parseWholeNumber)
    .option('--cursor <cursor>', 'nextCursor of the previous call, to continue after its events')
    .action(act(sendUnrouted));
}

interface Span extends PageOptions, Reasoned {
  readonly since?: string;
  readonly until?: string;
}
type UnroutedOptions = Span & { readonly type?: ChannelType; readonly resource?: string };

async function listUnrouted(run: Run, options: UnroutedOptions): Promise<void> {
  const client = staffClient(run);
  const { reason, type, resource: resourceId } = options;
  const filters = omitUndefined({ type, resourceId, ...parseTimeRange(options, run.world) });
  await showList(run, options, {
    name: 'events',
    empty: 'No unrouted events found.',
    columns: [
      {
        title: 'RECEIVED (UTC)',
        of: ({ receivedAt }: Schema<'UnroutedEventList'>['events'][number]) => timeCell(receivedAt),
      },
      { title: 'TYPE', of: ({ type: product }) => product },
      { title: 'RESOURCE', of: (event) => event.resourceId },
      { title: 'BYTES', of: ({ sizeBytes }) => sizeBytes },
      { title: 'SENT ON (UTC)', of: ({ sentAt }) => timeCell(sentAt) },
    ],
    read: (page) => client.get('/staff/unrouted-events', { params: { query: { reason, ...filters, ...page } } }),
  });
}

interface SendOptions extends Reasoned {
  readonly limit?: number;
  readonly cursor?: string;
}

async function sendUnrouted(run: Run, ch: string, { reason, limit, cursor }: SendOptions): Promise<void> {
  const body = { reason, ...omitUndefined({ limit, cursor }) };
  const sent = await staffClient(run).post('/staff/channels/{ch}/unrouted-events/send', {
    params: { path: { ch } },
    body,
  });
  const { sentCount, skippedCount, nextCursor } = sent;
  const skipped = skippedCount === 0 ? '' : ` Skipped ${skippedCount} that cannot be decrypted or accepted.`;
  const more = nextCursor === null ? '' : ` More are left: run it again with --cursor ${nextCursor}.`;
  run.output.done(sent, `Sent ${sentCount} events on to ${ch}.${skipped}${more}`);
}

async function audit(run: Run, options: Span & { readonly action?: string; readonly actor?: string }): Promise<void> {
  const client = staffClient(run);
  const { reason, action, actor } = options;
  const filters = omitUndefined({ action, actor, ...parseTimeRange(options, run.world) });
  await showList(run, options, {
    name: 'entries',
    empty: 'No audit entries found.',
    columns: [
      { title: 'TIME (UTC)', of: ({ at }: Schema<'StaffAuditEntry'>) => timeCell(at) },
      { title: 'PERSON', of: ({ person, actor: one }) => person ?? one.id },
      { title: 'ACTION', of: (entry) => entry.action },
      { title: 'TARGET', of: ({ targetId }) => targetId },
      { title: 'ORGANIZATION', of: ({ organizationId }) => organizationId },
      { title: 'REASON', of: (entry) => entry.reason },
    ],
    read: (page) => client.get('/staff/audit-entries', { params: { query: { reason, ...filters, ...page } } }),
  });
}
