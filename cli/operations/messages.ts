import type { Command } from 'commander';
import { addGroup, addCommand, parseDueTime } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { messageOf, type MessageOptions } from './message-input.ts';
import { addScheduledMessages, showScheduledMessage } from '../scheduled/scheduled.ts';

export function addMessages(program: Command, act: Act): void {
  const messages = addGroup(program, 'messages', 'Send messages and receipts');
  addCommand(messages, 'send <channel>', {
    summary: 'Send a message',
    examples: [
      "channels messages send ch_4fT9aPq2 --to 15551230000 --text 'Hello'",
      'fortune | channels messages send ch_4fT9aPq2 --to 15551230000 --text -',
      'channels messages send ch_4fT9aPq2 --input template.json --idempotency-key order-17',
      "channels messages send ch_4fT9aPq2 --to 15551230000 --text 'See you at 9' --send-at 2026-12-24T08:00:00Z",
    ],
  })
    .option('--to <person>', 'recipient, as in the sender of an event: international phone number or platform user ID')
    .option('--text <text>', 'message text; - reads standard input')
    .option('--input <file>', 'platform message as a JSON file; - reads standard input')
    .option('--send-at <time>', 'schedule the message: 30m, 2h or 7d from now, or an ISO 8601 timestamp')
    .option('--idempotency-key <key>', 'key that makes a retry safe')
    .action(act(send));
  addScheduledMessages(messages, act, messageOf);
  addCommand(messages, 'read <channel> <message>', {
    summary: 'Mark a received message as read',
    examples: ['channels messages read ch_4fT9aPq2 wamid.HBgLMTU1'],
  })
    .option('--to <person>', 'sender of the message, if known')
    .action(act(read));
  addCommand(messages, 'typing <channel>', {
    summary: 'Show a typing indicator',
    examples: [
      'channels messages typing ch_4fT9aPq2 --message wamid.HBgLMTU1',
      'channels messages typing ch_8kLm3Qz1 --to 2400012345',
    ],
  })
    .option('--to <person>', 'recipient, on photoapp and pageapp channels')
    .option('--message <id>', 'ID of the message being answered, on chatapp channels')
    .action(act(typing));
}

interface SendOptions extends MessageOptions {
  readonly sendAt?: string;
  readonly idempotencyKey?: string;
}

async function send(run: Run, ch: string, options: SendOptions): Promise<void> {
  const message = await messageOf(run, options);
  const sendAt = options.sendAt === undefined ? undefined : parseDueTime(options.sendAt, run.world);
  const client = await run.client();
  const params = { path: { ch }, header: omitUndefined({ 'Idempotency-Key': options.idempotencyKey }) };
  if (sendAt !== undefined) {
    const body = { sendAt, message };
    return showScheduledMessage(run, await client.post('/channels/{ch}/scheduled-messages', { params, body }));
  }
  const sent = await client.post('/channels/{ch}/messages', { params, body: message });
  run.output.record(sent, [
    ['Sent', { text: sent.messageId ?? 'yes', tone: 'good' }],
    ['To', sent.recipientId],
    ['User ID', sent.userId],
    ['Status', sent.messageStatus],
  ]);
}

async function read(run: Run, ...[ch, messageId, { to }]: [string, string, { to?: string }]): Promise<void> {
  const client = await run.client();
  const params = { path: { ch, messageId } };
  const answer = await client.post('/channels/{ch}/messages/{messageId}/read', { params, body: omitUndefined({ to }) });
  run.output.done(answer, `Marked ${messageId} as read.`);
}

async function typing(run: Run, ch: string, { to, message }: { to?: string; message?: string }): Promise<void> {
  if ((to === undefined) === (message === undefined)) throw usageError('Use either --to or --message.');
  const client = await run.client();
  const body = omitUndefined({ to, messageId: message });
  run.output.done(
    await client.post('/channels/{ch}/typing', { params: { path: { ch } }, body }),
    'Typing indicator shown.',
  );
}
