import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { type EventType, eventTypes } from '../../contract/event-types.ts';
import { pendingChoices, type PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import { choiceOption, addGroup, addCommand, parseWholeNumber } from '../commands/arguments.ts';
import { replayCommand } from '../channels/delivery-trouble.ts';
import { CliError, exitCodes, usageError, VerificationError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type Field, formatTime, timeCell } from '../terminal/output.ts';
import { probeLines } from './probe-lines.ts';
import { assertSecretOptions, type SecretOptions } from '../commands/secret-options.ts';
import { confirm, readSecretLine } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';
import { addTests, showTest } from '../destinations/test-result.ts';

type Config = Schema<'WebhookConfig'>;

export function addWebhook(program: Command, act: Act): void {
  const webhook = addGroup(program, 'webhook', 'Manage the webhook of a channel');
  addCommand(webhook, 'show <channel>', {
    summary: 'Show the webhook',
    examples: ['channels webhook show ch_4fT9aPq2', 'channels webhook show ch_4fT9aPq2 --reveal --json'],
  })
    .option('--reveal', 'include the verify token')
    .action(act(show));
  addSet(webhook, act);
  addCommand(webhook, 'clear <channel>', {
    summary: 'Clear the webhook; its waiting deliveries are cancelled',
    examples: ['channels webhook clear ch_4fT9aPq2 --yes'],
  })
    .option('--yes', 'skip the confirmation')
    .action(act(clear));
  addCommand(webhook, 'test <channel>', {
    summary: 'Send a test event and show the response',
    examples: [
      'channels webhook test ch_4fT9aPq2',
      'channels webhook test ch_4fT9aPq2 --event-type chatapp.message.status',
    ],
  })
    .addOption(choiceOption('--event-type <type>', 'type of the event (default: a message)', eventTypes))
    .action(act(test));
  addTests(webhook, act);
  addCommand(webhook, 'hmac <channel>', {
    summary: 'Show or rotate the signing secret',
    examples: [
      'WEBHOOK_HMAC_SECRET=$(channels webhook hmac ch_4fT9aPq2 --value)',
      'channels webhook hmac ch_4fT9aPq2 --rotate --overlap 86400',
    ],
  })
    .option('--value', 'print only the secret')
    .option('--rotate', 'create a new secret')
    .option('--overlap <seconds>', 'how long deliveries carry both signatures (default: 0)', parseWholeNumber)
    .option('--idempotency-key <key>', 'key that makes a retry return the same secret')
    .action(act(hmac));
}

function addSet(webhook: Command, act: Act): void {
  addCommand(webhook, 'set <channel> <url>', {
    summary: 'Set the webhook after the URL passes two probes',
    examples: [
      'channels webhook set ch_4fT9aPq2 https://app.example.com/hook',
      'channels webhook set ch_4fT9aPq2 https://app.example.com/hook --verify-token-stdin < token.txt',
      'channels webhook set ch_4fT9aPq2 https://new.example.com/hook --pending keep',
    ],
  })
    .option(
      '--verify-token <token>',
      'token that the receiver returns when probed (default: VERIFY_TOKEN, else the stored one)',
    )
    .option('--verify-token-stdin', 'read the verify token from standard input')
    .addOption(choiceOption('--pending <choice>', 'what to do with deliveries waiting for the old URL', pendingChoices))
    .action(act(set));
  addCommand(webhook, 'enable <channel>', {
    summary: 'Enable a disabled webhook again after its URL passes two probes',
    examples: ['channels webhook enable ch_4fT9aPq2'],
  }).action(act(enable));
}

function at(ch: string) {
  return { params: { path: { ch } } };
}

function hidden({ verifyToken, ...config }: Config, reveal: boolean): Partial<Config> {
  return reveal ? { ...config, verifyToken } : config;
}

function fieldsOf(config: Config, reveal: boolean): Field[] {
  const { channelId, webhookUrl, verifyToken, verifiedAt, updatedAt, disabledReason, lastVerification } = config;
  const token = reveal ? verifyToken : verifyToken && 'set; use --reveal to show it';
  return [
    ['Channel', channelId],
    ['Webhook', webhookUrl ?? 'not set'],
    [
      'Status',
      disabledReason
        ? { text: `disabled (${disabledReason})`, tone: 'bad' }
        : webhookUrl && { text: 'enabled', tone: 'good' },
    ],
    ['Verify token', token],
    ['Verified', timeCell(verifiedAt)],
    ['Updated', timeCell(updatedAt)],
    ...(lastVerification?.failure ? refusedSave(lastVerification) : []),
  ];
}

function refusedSave({ at: since, url, failure }: NonNullable<Config['lastVerification']>): Field[] {
  return [['Last save', { text: `refused ${formatTime(since)}: ${url}: ${failure}`, tone: 'bad' }]];
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
    throw usageError('--verify-token and --verify-token-stdin cannot be combined.');
  const token = verifyTokenStdin ? await readSecretLine(run.world, 'verify token') : verifyToken;
  await save(run, { ch, webhookUrl, pending, verifyToken: token ?? (run.world.env['VERIFY_TOKEN'] || undefined) });
}

/** Saves the URL again, which probes the receiver before events go to it. */
async function enable(run: Run, ch: string): Promise<void> {
  const client = await run.inWorkspace();
  const [{ webhookUrl }, channel] = await Promise.all([
    client.get('/webhook-config/{ch}', at(ch)),
    client.get('/platform/channels/{ch}', at(ch)),
  ]);
  if (webhookUrl === null) {
    const hint = `Set one with \`channels webhook set ${ch} <url>\`.`;
    throw new CliError(`${ch} has no webhook.`, { exitCode: exitCodes.failure, hint });
  }
  await save(run, { ch, webhookUrl });
  run.output.note(`To send what was skipped: ${replayCommand(ch, channel.delivery?.since ?? null)}`);
}

interface Save {
  readonly ch: string;
  readonly webhookUrl: string;
  readonly verifyToken?: string | undefined;
  readonly pending?: PendingChoice | undefined;
}

async function save(run: Run, { ch, webhookUrl, verifyToken, pending }: Save): Promise<void> {
  const client = await run.inWorkspace();
  run.progress.show(`Probing ${webhookUrl}`);
  const saved = client.put('/webhook-config/{ch}', {
    params: { path: { ch }, query: omitUndefined({ pending }) },
    body: { webhookUrl, ...omitUndefined({ verifyToken }) },
  });
  const config = await saved.catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'WEBHOOK_URL_VERIFICATION_FAILED') throw error;
    const { lastVerification: last } = await client.get('/webhook-config/{ch}', at(ch));
    const isThisSave = last?.url === webhookUrl && !last.ok;
    throw new VerificationError(error, isThisSave ? last.probes : []);
  });
  run.progress.end();
  run.output.note(['Both probes passed.', ...probeLines(config.lastVerification?.probes ?? [])].join('\n'));
  run.output.record(hidden(config, false), fieldsOf(config, false));
}

async function clear(run: Run, ch: string, options: { yes?: boolean }): Promise<void> {
  const client = await run.inWorkspace();
  await confirm(run.world, `Clear the webhook of ${ch} and cancel its waiting deliveries?`, options);
  await client.delete('/webhook-config/{ch}', at(ch));
  run.output.done({ channelId: ch, webhookUrl: null }, `Cleared the webhook of ${ch}.`);
}

async function test(run: Run, ch: string, { eventType }: { eventType?: EventType }): Promise<void> {
  const client = await run.inWorkspace();
  run.progress.show('Sending a test event');
  showTest(run, await client.post('/webhook-config/{ch}/test', { ...at(ch), body: omitUndefined({ eventType }) }));
}

async function hmac(run: Run, ch: string, options: SecretOptions): Promise<void> {
  const { rotate, overlap, idempotencyKey } = options;
  assertSecretOptions(run, options);
  const client = await run.inWorkspace();
  const answer = rotate
    ? await client.post('/webhook-config/{ch}/rotate-hmac', {
        params: { path: { ch }, header: omitUndefined({ 'Idempotency-Key': idempotencyKey }) },
        body: { overlapSeconds: overlap ?? 0 },
      })
    : await client.get('/webhook-config/{ch}/hmac', at(ch));
  if (options.value) return run.output.exact(`${answer.hmacSecret}\n`);
  run.output.record(answer, [
    ['Secret', answer.hmacSecret],
    ...('previousSecretExpiresAt' in answer
      ? [['Old secret expires', timeCell(answer.previousSecretExpiresAt) ?? 'already revoked'] satisfies Field]
      : []),
  ]);
}
