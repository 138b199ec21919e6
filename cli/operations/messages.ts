import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { group, leaf, readJsonInput } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { given } from '../commands/given.ts';
import { readAll } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

export function addMessages(program: Command, act: Act): void {
  const messages = group(program, 'messages', 'Messages to people');
  leaf(messages, 'send <channel>', {
    summary: 'Sends a message from the channel',
    examples: [
      "channels messages send ch_4fT9aPq2 --to 15551230000 --text 'Hello'",
      'fortune | channels messages send ch_4fT9aPq2 --to 15551230000 --text -',
      'channels messages send ch_4fT9aPq2 --input template.json --idempotency-key order-17',
    ],
  })
    .option('--to <person>', 'a phone number in international digits, or the id that the account knows the person by')
    .option('--text <text>', 'plain text; - for standard input')
    .option('--input <file>', "a message in the platform's own words, as JSON; - for standard input")
    .option('--idempotency-key <key>', 'makes a repeat harmless')
    .action(act(send));
  leaf(messages, 'read <channel> <message>', {
    summary: 'Marks a message that came in as read',
    examples: ['channels messages read ch_4fT9aPq2 wamid.HBgLMTU1'],
  })
    .option('--to <person>', 'who wrote it, where known')
    .action(act(read));
  leaf(messages, 'typing <channel>', {
    summary: 'Shows the person that an answer is being written',
    examples: [
      'channels messages typing ch_4fT9aPq2 --message wamid.HBgLMTU1',
      'channels messages typing ch_8kLm3Qz1 --to 2400012345',
    ],
  })
    .option('--to <person>', 'who sees it: on photoapp and pageapp channels')
    .option('--message <id>', 'what is being answered: on chatapp channels')
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
    params: { path: { ch }, header: given({ 'Idempotency-Key': options.idempotencyKey }) },
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
    if (to !== undefined || text !== undefined) throw usageError('--input goes neither with --to nor with --text.');
    return await readJsonInput(world, input);
  }
  if (to === undefined || text === undefined) throw usageError('Say --to and --text, or --input.');
  return { to, text: text === '-' ? (await readAll(world.stdin)).toString('utf8').replace(/\n$/, '') : text };
}

async function read(run: Run, ...[ch, messageId, { to }]: [string, string, { to?: string }]): Promise<void> {
  const client = await run.client();
  const params = { path: { ch, messageId } };
  const answer = await client.post('/channels/{ch}/messages/{messageId}/read', { params, body: given({ to }) });
  run.output.done(answer, `${messageId} is marked as read.`);
}

async function typing(run: Run, ch: string, { to, message }: { to?: string; message?: string }): Promise<void> {
  if ((to === undefined) === (message === undefined)) throw usageError('Say either --to or --message.');
  const client = await run.client();
  const body = given({ to, messageId: message });
  run.output.done(await client.post('/channels/{ch}/typing', { params: { path: { ch } }, body }), 'It is shown.');
}
