import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { pendingChoices, type PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import { choiceOption, group, leaf, wholeNumber } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { given } from '../commands/given.ts';
import { type Field, when } from '../terminal/output.ts';
import { probeLines } from './probe-lines.ts';
import { assertSecretOptions, type SecretOptions } from '../commands/secret-options.ts';
import { confirm, readSecretLine } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';
import { showTest } from '../destinations/test-result.ts';

type Config = Schema<'WebhookConfig'>;

export function addWebhook(program: Command, act: Act): void {
  const webhook = group(program, 'webhook', "Where the channel's events go");
  leaf(webhook, 'show <channel>', {
    summary: 'Shows the webhook destination',
    examples: ['channels webhook show ch_4fT9aPq2', 'channels webhook show ch_4fT9aPq2 --reveal --json'],
  })
    .option('--reveal', 'show the verify token too')
    .action(act(show));
  addSet(webhook, act);
  leaf(webhook, 'clear <channel>', {
    summary: 'Clears the webhook destination; deliveries that wait for it are cancelled',
    examples: ['channels webhook clear ch_4fT9aPq2 --yes'],
  })
    .option('--yes', 'do not ask')
    .action(act(clear));
  leaf(webhook, 'test <channel>', {
    summary: 'Sends a sample event to the destination and shows the answer',
    examples: ['channels webhook test ch_4fT9aPq2'],
  }).action(act(test));
  leaf(webhook, 'hmac <channel>', {
    summary: 'Shows the secret that signs deliveries',
    examples: [
      'WEBHOOK_HMAC_SECRET=$(channels webhook hmac ch_4fT9aPq2 --value)',
      'channels webhook hmac ch_4fT9aPq2 --rotate --overlap 86400',
    ],
  })
    .option('--value', 'only the secret, for a script')
    .option('--rotate', 'draw a new one')
    .option('--overlap <seconds>', 'how long deliveries carry the signatures of both; 0 unless given', wholeNumber)
    .option('--idempotency-key <key>', 'answers a repeat with the same secret')
    .action(act(hmac));
}

function addSet(webhook: Command, act: Act): void {
  leaf(webhook, 'set <channel> <url>', {
    summary: 'Sets the destination, after two probes of the URL have passed',
    examples: [
      'channels webhook set ch_4fT9aPq2 https://app.example.com/hook',
      'channels webhook set ch_4fT9aPq2 https://app.example.com/hook --verify-token-stdin < token.txt',
      'channels webhook set ch_4fT9aPq2 https://new.example.com/hook --pending keep',
    ],
  })
    .option(
      '--verify-token <token>',
      'what the ownership probe asks with; the stored one is kept where none is given (or VERIFY_TOKEN)',
    )
    .option('--verify-token-stdin', 'read it from standard input')
    .addOption(
      choiceOption('--pending <choice>', 'what becomes of deliveries that wait for the old URL', pendingChoices),
    )
    .action(act(set));
}

function at(ch: string) {
  return { params: { path: { ch } } };
}

/** The token stays out of sight, unless it is asked for. */
function hidden({ verifyToken, ...config }: Config, reveal: boolean): Partial<Config> {
  return reveal ? { ...config, verifyToken } : config;
}

function fieldsOf(config: Config, reveal: boolean): Field[] {
  const { channelId, webhookUrl, verifyToken, verifiedAt, updatedAt, disabledReason } = config;
  const token = reveal ? verifyToken : verifyToken && 'set; --reveal shows it';
  return [
    ['Channel', channelId],
    ['Webhook', webhookUrl ?? 'none is set'],
    [
      'State',
      disabledReason
        ? { text: `disabled (${disabledReason})`, tone: 'bad' }
        : webhookUrl && { text: 'enabled', tone: 'good' },
    ],
    ['Verify token', token],
    ['Verified', when(verifiedAt)],
    ['Changed', when(updatedAt)],
  ];
}

async function show(run: Run, ch: string, { reveal = false }: { reveal?: boolean }): Promise<void> {
  const config = await (await run.inWorkspace()).get('/webhook-config/{ch}', at(ch));
  run.output.record(hidden(config, reveal), fieldsOf(config, reveal));
}

interface SetOptions {
  readonly verifyToken?: string;
  readonly verifyTokenStdin?: boolean;
  readonly pending?: PendingChoice;
}

async function set(run: Run, ...[ch, webhookUrl, options]: [string, string, SetOptions]): Promise<void> {
  const { verifyToken, verifyTokenStdin, pending } = options;
  if (verifyToken !== undefined && verifyTokenStdin)
    throw usageError('--verify-token and --verify-token-stdin exclude each other.');
  const token = verifyTokenStdin ? await readSecretLine(run.world, 'verify token') : verifyToken;
  const client = await run.inWorkspace();
  run.progress.show(`Probing ${webhookUrl}`);
  const config = await client.put('/webhook-config/{ch}', {
    params: { path: { ch }, query: given({ pending }) },
    body: { webhookUrl, ...given({ verifyToken: token ?? (run.world.env['VERIFY_TOKEN'] || undefined) }) },
  });
  run.progress.end();
  run.output.note(['Both probes passed.', ...probeLines(config.probes ?? [])].join('\n'));
  run.output.record(hidden(config, false), fieldsOf(config, false));
}

async function clear(run: Run, ch: string, options: { yes?: boolean }): Promise<void> {
  const client = await run.inWorkspace();
  await confirm(run.world, `Clear the webhook of ${ch}, and cancel what waits for it?`, options);
  await client.delete('/webhook-config/{ch}', at(ch));
  run.output.done({ channelId: ch, webhookUrl: null }, `${ch} has no webhook any more.`);
}

async function test(run: Run, ch: string): Promise<void> {
  const client = await run.inWorkspace();
  run.progress.show('Sending a sample event');
  showTest(run, await client.post('/webhook-config/{ch}/test', at(ch)));
}

async function hmac(run: Run, ch: string, options: SecretOptions): Promise<void> {
  const { rotate, overlap, idempotencyKey } = options;
  assertSecretOptions(run, options);
  const client = await run.inWorkspace();
  const answer = rotate
    ? await client.post('/webhook-config/{ch}/rotate-hmac', {
        params: { path: { ch }, header: given({ 'Idempotency-Key': idempotencyKey }) },
        body: { overlapSeconds: overlap ?? 0 },
      })
    : await client.get('/webhook-config/{ch}/hmac', at(ch));
  if (options.value) return run.output.exact(`${answer.hmacSecret}\n`);
  run.output.record(answer, [
    ['Secret', answer.hmacSecret],
    ...('previousSecretExpiresAt' in answer
      ? [['Former secret ends', when(answer.previousSecretExpiresAt) ?? 'it has ended'] satisfies Field]
      : []),
  ]);
}
