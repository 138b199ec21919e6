import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { addGroup, addCommand, readJsonInput } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { readAll } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

export function addMessages(program: Command, act: Act): void {
  const messages = addGroup(program, 'messages', 'Send messages and receipts');
  addCommand(messages, 'send <channel>', {
    summary: 'Send a message',
    examples: [
      "channels messages send ch_4fT9aPq2 --to 15551230000 --text 'Hello'",
      'fortune | channels messages send ch_4fT9aPq2 --to 15551230000 --text -',
      'channels messages send ch_4fT9aPq2 --input template.json --idempotency-key order-17',
    ],
  })
    .option('--to <person>', 'recipient: international phone number in digits, or platform user ID')
    .option('--text <text>', 'message text; - reads standard input')
    .option('--input <file>', 'platform message as a JSON file; - reads standard input')
    .option('--idempotency-key <key>', 'key that makes a retry safe')
    .action(act(send));
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

interface SendOptions {
  readonly to?: string;
  readonly text?: string;
  readonly input?: string;
  readonly idempotencyKey?: string;
}

async function send(run: Run, ch: string, options: SendOptions): Promise<void> {
  const body = await messageOf(run, options);
  const client = await run.client();
  const sent = await client.post('/channels/{ch}/messages', {
    params: { path: { ch }, header: omitUndefined({ 'Idempotency-Key': options.idempotencyKey }) },
    body,
  });
  run.output.record(sent, [
    ['Sent', { text: sent.messageId ?? 'yes', tone: 'good' }],
    ['To', sent.recipientId],
    ['Status', sent.messageStatus],
  ]);
}

async function messageOf({ world }: Run, { to, text, input }: SendOptions): Promise<Schema<'MessageInput'>> {
  if (input !== undefined) {
    if (to !== undefined || text !== undefined) throw usageError('--input cannot be combined with --to or --text.');
    return await readJsonInput(world, input);
  }
  if (to === undefined || text === undefined) throw usageError('Missing message. Use --to and --text, or --input.');
  return { to, text: text === '-' ? (await readAll(world.stdin)).toString('utf8').replace(/\n$/, '') : text };
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
