import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { type ScheduledMessageStatus, scheduledMessageStatuses } from '../../contract/operations/scheduled-message.ts';
import { addCommand, addGroup, choiceOption, parseDueTime } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';
import { type CellValue, timeCell, type Tone } from '../terminal/output.ts';
import { messageOf, type MessageOptions } from './message-input.ts';

type ScheduledMessage = Schema<'ScheduledMessage'>;

const tones: Readonly<Record<ScheduledMessageStatus, Tone>> = {
  scheduled: 'busy',
  sending: 'busy',
  sent: 'good',
  failed: 'bad',
  unknown: 'bad',
  cancelled: 'quiet',
};

export function addScheduledMessages(messages: Command, act: Act): void {
  const scheduled = addGroup(messages, 'scheduled', 'Manage messages that are sent later');
  withPages(
    addCommand(scheduled, 'list <channel>', {
      summary: 'List scheduled messages, newest first',
      examples: ['channels messages scheduled list ch_4fT9aPq2 --status scheduled'],
    }),
  )
    .addOption(choiceOption('--status <status>', 'status to show', scheduledMessageStatuses))
    .action(act(list));
  addCommand(scheduled, 'show <channel> <message>', {
    summary: 'Show a scheduled message with its content',
    examples: ['channels messages scheduled show ch_4fT9aPq2 sm_8kLm3Qz1'],
  }).action(act(show));
  addCommand(scheduled, 'change <channel> <message>', {
    summary: 'Change the time or the content of a message that is not sent yet',
    examples: [
      'channels messages scheduled change ch_4fT9aPq2 sm_8kLm3Qz1 --send-at 2h',
      "channels messages scheduled change ch_4fT9aPq2 sm_8kLm3Qz1 --to 15551230000 --text 'See you at 10'",
    ],
  })
    .option('--send-at <time>', 'new time: 30m, 2h or 7d from now, or an ISO 8601 timestamp')
    .option('--to <person>', 'recipient of the new text')
    .option('--text <text>', 'new text; - reads standard input')
    .option('--input <file>', 'new platform message as a JSON file; - reads standard input')
    .action(act(change));
  addCommand(scheduled, 'cancel <channel> <message>', {
    summary: 'Cancel a message that is not sent yet',
    examples: ['channels messages scheduled cancel ch_4fT9aPq2 sm_8kLm3Qz1'],
  })
    .option('--yes', 'skip the confirmation')
    .action(act(cancel));
}

export function showScheduledMessage({ output }: Run, message: ScheduledMessage): void {
  output.record(message, [
    ['Scheduled message', message.scheduledMessageId],
    ['Status', statusCell(message)],
    ['Reason', message.reason],
    ['Detail', message.statusDetail],
    ['Send at (UTC)', timeCell(message.sendAt)],
    ['To', message.recipient],
    ['Content', message.message === null ? null : JSON.stringify(message.message)],
    ['Platform message', message.platformMessageId],
    ['Scheduled by', message.createdBy],
    ['Created (UTC)', timeCell(message.createdAt)],
    ['Ended (UTC)', timeCell(message.endedAt)],
  ]);
}

function statusCell({ status }: ScheduledMessage): CellValue {
  return { text: status, tone: tones[status] };
}

async function list(
  run: Run,
  ...[ch, options]: [string, PageOptions & { readonly status?: ScheduledMessageStatus }]
): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'scheduledMessages',
    empty: 'No scheduled messages found.',
    columns: [
      { title: 'SEND AT (UTC)', of: ({ sendAt }: ScheduledMessage) => timeCell(sendAt) },
      { title: 'MESSAGE', of: ({ scheduledMessageId }) => scheduledMessageId },
      { title: 'STATUS', of: statusCell },
      { title: 'TO', of: ({ recipient }) => recipient },
      { title: 'DETAIL', of: ({ statusDetail }) => statusDetail },
    ],
    read: (query) =>
      client.get('/channels/{ch}/scheduled-messages', {
        params: { path: { ch }, query: { ...query, ...omitUndefined({ status: options.status }) } },
      }),
  });
}

async function show(run: Run, ...[ch, sm]: [string, string]): Promise<void> {
  const client = await run.client();
  const message = await client.get('/channels/{ch}/scheduled-messages/{sm}', { params: { path: { ch, sm } } });
  showScheduledMessage(run, message);
}

async function change(
  run: Run,
  ...[ch, sm, options]: [string, string, MessageOptions & { readonly sendAt?: string }]
): Promise<void> {
  const { sendAt, to, text, input } = options;
  const hasContent = [to, text, input].some((given) => given !== undefined);
  if (sendAt === undefined && !hasContent)
    throw usageError('Nothing to change. Use --send-at, --to and --text, or --input.');
  const body = omitUndefined({
    sendAt: sendAt === undefined ? undefined : parseDueTime(sendAt, run.world),
    message: hasContent ? await messageOf(run, options) : undefined,
  });
  const client = await run.client();
  const params = { path: { ch, sm } };
  showScheduledMessage(run, await client.patch('/channels/{ch}/scheduled-messages/{sm}', { params, body }));
}

async function cancel(run: Run, ...[ch, sm, options]: [string, string, { yes?: boolean }]): Promise<void> {
  await confirm(run.world, `Cancel ${sm}?`, options);
  const client = await run.client();
  const params = { path: { ch, sm } };
  const cancelled = await client.post('/channels/{ch}/scheduled-messages/{sm}/cancel', { params });
  run.output.done(cancelled, `${sm} is cancelled.`);
}
