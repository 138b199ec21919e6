import type { Schema } from '../../client/create-client.ts';
import { scheduledMessageStatuses } from '../../contract/scheduled/scheduled.ts';
import { readJsonInput } from '../commands/arguments.ts';
import { command, group } from '../commands/definition.ts';
import { due, idempotencyKey, oneOf, pages, yes } from '../commands/flags.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { route } from '../commands/route.ts';
import type { Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';
import { fieldsOf, toned, type View } from '../terminal/output.ts';
import { readAll } from '../terminal/prompt.ts';

interface MessageOptions {
  readonly to: string | undefined;
  readonly text: string | undefined;
  readonly input: string | undefined;
}

async function messageOf({ world }: Run, { to, text, input }: MessageOptions): Promise<Schema<'MessageInput'>> {
  if (input !== undefined) {
    if (to !== undefined || text !== undefined) throw usageError('--input cannot be combined with --to or --text.');
    return await readJsonInput(world, input);
  }
  if (to === undefined || text === undefined) throw usageError('Missing message. Use --to and --text, or --input.');
  return { to, text: text === '-' ? (await readAll(world.stdin)).toString('utf8').replace(/\n$/, '') : text };
}

const status = toned('status', {
  scheduled: 'busy',
  sending: 'busy',
  sent: 'good',
  failed: 'bad',
  unknown: 'bad',
  cancelled: 'quiet',
});

const record: View<Schema<'ScheduledMessage'>> = {
  'Scheduled message': 'scheduledMessageId',
  Status: status,
  Reason: 'reason',
  Detail: 'statusDetail',
  'Send at (UTC)': 'sendAt',
  To: 'recipient',
  Content: ({ message }) => message && JSON.stringify(message),
  'Platform message': 'platformMessageId',
  'Scheduled by': 'createdBy',
  'Created (UTC)': 'createdAt',
  'Ended (UTC)': 'endedAt',
};

const scheduled = group('scheduled', 'Manage messages that are sent later', [
  route('list <channel>', 'GET /channels/{ch}/scheduled-messages', {
    summary: 'List scheduled messages, newest first',
    examples: 'ch_4fT9aPq2 --status scheduled',
    flags: { ...pages, status: ['--status <status>', 'status to show', oneOf(scheduledMessageStatuses)] },
    columns: {
      'SEND AT (UTC)': 'sendAt',
      MESSAGE: 'scheduledMessageId',
      STATUS: status,
      TO: 'recipient',
      DETAIL: 'statusDetail',
    },
  }),
  route('show <channel> <message>', 'GET /channels/{ch}/scheduled-messages/{sm}', {
    summary: 'Show a scheduled message with its content',
    examples: 'ch_4fT9aPq2 sm_8kLm3Qz1',
    record,
  }),
  route('change <channel> <message>', 'PATCH /channels/{ch}/scheduled-messages/{sm}', {
    summary: 'Change the time or the content of a message that is not sent yet',
    examples: [
      'ch_4fT9aPq2 sm_8kLm3Qz1 --send-at 2h',
      "ch_4fT9aPq2 sm_8kLm3Qz1 --to 15551230000 --text 'See you at 10'",
    ],
    flags: {
      sendAt: ['--send-at <time>', 'new time: 30m, 2h or 7d from now, or an ISO 8601 timestamp', due],
      to: ['--to <person>', 'recipient of the new text'],
      text: ['--text <text>', 'new text; - reads standard input'],
      input: ['--input <file>', 'new platform message as a JSON file; - reads standard input'],
    },
    input: async ({ sendAt, ...content }, _, run) => ({
      sendAt,
      message: Object.values(content).every((one) => one === undefined) ? undefined : await messageOf(run, content),
    }),
    unchanged: 'Nothing to change. Use --send-at, --to and --text, or --input.',
    record,
  }),
  route('cancel <channel> <message>', 'POST /channels/{ch}/scheduled-messages/{sm}/cancel', {
    summary: 'Cancel a message that is not sent yet',
    examples: 'ch_4fT9aPq2 sm_8kLm3Qz1',
    flags: yes,
    confirm: ([, sm]) => `Cancel ${sm}?`,
    done: (_, [, sm]) => `${sm} is cancelled.`,
  }),
]);

const send = command('send <channel>', {
  summary: 'Send a message',
  examples: [
    "ch_4fT9aPq2 --to 15551230000 --text 'Hello'",
    'fortune | channels messages send ch_4fT9aPq2 --to 15551230000 --text -',
    'ch_4fT9aPq2 --input template.json --idempotency-key order-17',
    "ch_4fT9aPq2 --to 15551230000 --text 'See you at 9' --send-at 2026-12-24T08:00:00Z",
  ],
  flags: {
    to: ['--to <person>', 'recipient, as in the sender of an event: international phone number or platform user ID'],
    text: ['--text <text>', 'message text; - reads standard input'],
    input: ['--input <file>', 'platform message as a JSON file; - reads standard input'],
    sendAt: ['--send-at <time>', 'schedule the message: 30m, 2h or 7d from now, or an ISO 8601 timestamp', due],
    ...idempotencyKey,
  },
  async run(run, [ch], { sendAt, idempotencyKey: key, ...content }) {
    const message = await messageOf(run, content);
    const client = await run.client();
    const params = { path: { ch }, header: omitUndefined({ 'Idempotency-Key': key }) };
    if (sendAt !== undefined) {
      const made = await client.post('/channels/{ch}/scheduled-messages', { params, body: { sendAt, message } });
      return run.output.record(made, fieldsOf(record, made));
    }
    const sent = await client.post('/channels/{ch}/messages', { params, body: message });
    run.output.record(sent, [
      ['Sent', { text: sent.messageId ?? 'yes', tone: 'good' }],
      ['To', sent.recipientId],
      ['User ID', sent.userId],
      ['Status', sent.messageStatus],
    ]);
  },
});

export const messages = group('messages', 'Send messages and receipts', [
  send,
  scheduled,
  route('read <channel> <message>', 'POST /channels/{ch}/messages/{messageId}/read', {
    summary: 'Mark a received message as read',
    examples: 'ch_4fT9aPq2 wamid.HBgLMTU1',
    flags: { to: ['--to <person>', 'sender of the message, if known'] },
    done: (_, [, message]) => `Marked ${message} as read.`,
  }),
  route('typing <channel>', 'POST /channels/{ch}/typing', {
    summary: 'Show a typing indicator',
    examples: ['ch_4fT9aPq2 --message wamid.HBgLMTU1', 'ch_8kLm3Qz1 --to 2400012345'],
    flags: {
      to: ['--to <person>', 'recipient, on photoapp and pageapp channels'],
      messageId: ['--message <id>', 'ID of the message being answered, on chatapp channels'],
    },
    input(options) {
      if ((options.to === undefined) === (options.messageId === undefined))
        throw usageError('Use either --to or --message.');
      return options;
    },
    done: () => 'Typing indicator shown.',
  }),
]);
