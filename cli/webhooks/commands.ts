import type { Schema } from '../../client/create-client.ts';
import { pendingChoices, type PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { replayCommand } from '../channels/delivery-trouble.ts';
import { command, group } from '../commands/definition.ts';
import { local, oneOf, wholeNumber, yes } from '../commands/flags.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { route } from '../commands/route.ts';
import type { Run } from '../commands/run.ts';
import { assertSecretOptions } from '../commands/secret-options.ts';
import { showTest, tests } from '../destinations/commands.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { type Field, fieldsOf, formatTime, timeCell, type View } from '../terminal/output.ts';
import { probed, readVerifyToken, verifyTokenStdin } from './probed-save.ts';

type Config = Schema<'WebhookConfig'>;

const at = (ch: string) => ({ params: { path: { ch } } });

const fields: View<Config> = {
  Channel: 'channelId',
  Webhook: ({ webhookUrl }) => webhookUrl ?? 'not set',
  Status: ({ webhookUrl, disabledReason }) =>
    disabledReason
      ? { text: `disabled (${disabledReason})`, tone: 'bad' }
      : webhookUrl && { text: 'enabled', tone: 'good' },
  'Verify token': ({ verifyToken }) => verifyToken,
  Verified: 'verifiedAt',
  Updated: 'updatedAt',
  'Last save': ({ lastVerification: last }) =>
    last?.failure ? { text: `refused ${formatTime(last.at)}: ${last.url}: ${last.failure}`, tone: 'bad' } : undefined,
};

/** Hides the verify token, unless it is revealed. */
function showConfig({ output }: Run, config: Config, isRevealed = false): void {
  if (isRevealed) return output.record(config, fieldsOf(fields, config));
  const { verifyToken, ...hidden } = config;
  const token = verifyToken && 'set; use --reveal to show it';
  output.record(hidden, fieldsOf(fields, { ...config, verifyToken: token }));
}

interface Save {
  readonly ch: string;
  readonly webhookUrl: string;
  readonly verifyToken?: string | undefined;
  readonly pending?: PendingChoice | undefined;
}

async function save(run: Run, { ch, webhookUrl, verifyToken, pending }: Save): Promise<void> {
  const client = await run.inWorkspace();
  const config = await probed(run, webhookUrl, {
    save: () =>
      client.put('/webhook-config/{ch}', {
        params: { path: { ch }, query: omitUndefined({ pending }) },
        body: { webhookUrl, ...omitUndefined({ verifyToken }) },
      }),
    read: () => client.get('/webhook-config/{ch}', at(ch)),
  });
  showConfig(run, config);
}

export const webhook = group('webhook', 'Manage the webhook of a channel', [
  route('show <channel>', 'GET /webhook-config/{ch}', {
    summary: 'Show the webhook',
    examples: ['ch_4fT9aPq2', 'ch_4fT9aPq2 --reveal --json'],
    flags: { reveal: ['--reveal', 'include the verify token', local] },
    show: (run, config, { options }) => showConfig(run, config, options.reveal),
  }),
  command('set <channel> <url>', {
    summary: 'Set the webhook after the URL passes two probes',
    examples: [
      'ch_4fT9aPq2 https://app.example.com/hook',
      'ch_4fT9aPq2 https://app.example.com/hook --verify-token-stdin < token.txt',
      'ch_4fT9aPq2 https://new.example.com/hook --pending keep',
    ],
    flags: {
      verifyToken: [
        '--verify-token <token>',
        'token that the receiver returns when probed (default: VERIFY_TOKEN, else the stored one)',
      ],
      verifyTokenStdin,
      pending: ['--pending <choice>', 'what to do with deliveries waiting for the old URL', oneOf(pendingChoices)],
    },
    async run(run, [ch, webhookUrl], { pending, ...given }) {
      await save(run, { ch, webhookUrl, pending, verifyToken: await readVerifyToken(run, given) });
    },
  }),
  command('enable <channel>', {
    summary: 'Enable a disabled webhook again after its URL passes two probes',
    /** Saves the URL again, which probes the receiver before events go to it. */
    async run(run, [ch]) {
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
    },
  }),
  route('clear <channel>', 'DELETE /webhook-config/{ch}', {
    summary: 'Clear the webhook; its waiting deliveries are cancelled',
    examples: 'ch_4fT9aPq2 --yes',
    flags: yes,
    confirm: ([ch]) => `Clear the webhook of ${ch} and cancel its waiting deliveries?`,
    done: (_, [ch]) => [{ channelId: ch, webhookUrl: null }, `Cleared the webhook of ${ch}.`],
  }),
  route('test <channel>', 'POST /webhook-config/{ch}/test', {
    summary: 'Send a test event and show the response',
    examples: ['ch_4fT9aPq2', 'ch_4fT9aPq2 --event-type chatapp.message.status'],
    flags: { eventType: ['--event-type <type>', 'type of the event (default: a message)', oneOf(eventTypes)] },
    progress: 'Sending a test event',
    show: showTest,
  }),
  tests,
  command('hmac <channel>', {
    summary: 'Show or rotate the signing secret',
    examples: [
      'WEBHOOK_HMAC_SECRET=$(channels webhook hmac ch_4fT9aPq2 --value)',
      'ch_4fT9aPq2 --rotate --overlap 86400',
    ],
    flags: {
      value: ['--value', 'print only the secret'],
      rotate: ['--rotate', 'create a new secret'],
      overlap: ['--overlap <seconds>', 'how long deliveries carry both signatures (default: 0)', wholeNumber],
      idempotencyKey: ['--idempotency-key <key>', 'key that makes a retry return the same secret'],
    },
    async run(run, [ch], options) {
      assertSecretOptions(run, options);
      const client = await run.inWorkspace();
      const answer = options.rotate
        ? await client.post('/webhook-config/{ch}/rotate-hmac', {
            params: { path: { ch }, header: omitUndefined({ 'Idempotency-Key': options.idempotencyKey }) },
            body: { overlapSeconds: options.overlap ?? 0 },
          })
        : await client.get('/webhook-config/{ch}/hmac', at(ch));
      if (options.value) return run.output.exact(`${answer.hmacSecret}\n`);
      run.output.record(answer, [
        ['Secret', answer.hmacSecret],
        ...('previousSecretExpiresAt' in answer
          ? [['Old secret expires', timeCell(answer.previousSecretExpiresAt) ?? 'already revoked'] satisfies Field]
          : []),
      ]);
    },
  }),
]);
