import type { Schema } from '../../client/create-client.ts';
import { type DefaultWebhookCalls, ofOrganization, ofWorkspace } from '../../client/default-webhooks.ts';
import { rolloutOutcomes } from '../../contract/webhooks/rollout.ts';
import { command, group } from '../commands/definition.ts';
import { idempotencyKey, localText, oneOf, pages, yes } from '../commands/flags.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { route } from '../commands/route.ts';
import type { Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';
import { fieldsOf, toned, type View } from '../terminal/output.ts';
import { readUntilEnd } from '../terminal/pause.ts';
import { confirm } from '../terminal/prompt.ts';
import { probed, readVerifyToken, verifyTokenStdin } from './probed-save.ts';

type Rollout = Schema<'WebhookRollout'>;

const of = ['--of <workspace>', 'ID of a workspace (default: the organization)', localText] as const;

async function ownerOf(run: Run, ws: string | undefined): Promise<DefaultWebhookCalls> {
  const client = await run.client();
  return ws === undefined ? ofOrganization(client, await run.organizationId()) : ofWorkspace(client, ws);
}

const config: View<Schema<'DefaultWebhook'>> = {
  Of: ({ workspaceId, organizationId }) => workspaceId ?? organizationId,
  Webhook: ({ webhookUrl }) => webhookUrl ?? 'not set',
  Verified: 'verifiedAt',
  Organization: 'inheritedWebhookUrl',
};

const doneOf = ({ applied, unchanged, skipped, failed }: Rollout): number => applied + unchanged + skipped + failed;
const status = toned('status', { running: 'busy', completed: 'good', cancelled: 'quiet' });

const rollout: View<Rollout> = {
  Rollout: 'rolloutId',
  Status: status,
  Webhook: 'webhookUrl',
  'Dry run': 'dryRun',
  Channels: (shown) => `${doneOf(shown)} of ${shown.total}`,
  Applied: 'applied',
  Unchanged: 'unchanged',
  Skipped: 'skipped',
  Failed: 'failed',
  'Ended (UTC)': 'endedAt',
  Workflow: 'workflowId',
};

async function waitForEnd(run: Run, owner: DefaultWebhookCalls, rolloutId: string): Promise<Rollout> {
  return await readUntilEnd(
    run,
    () => owner.read(rolloutId),
    (read) => {
      const { status: state, total } = read;
      if (state !== 'running') return undefined;
      return [`${doneOf(read)}/${total} channels`, total > 0 ? doneOf(read) / total : undefined];
    },
  );
}

export const defaultWebhook = group('default-webhook', 'Manage the webhook that new channels get', [
  route('show', 'GET /organizations/{org}/default-webhook', {
    summary: 'Show the default webhook',
    examples: '--of ws_8kLm3Qz1',
    flags: { of },
    record: config,
  }),
  command('set <url>', {
    summary: 'Set the default webhook after the URL passes two probes',
    examples: 'https://app.example.com/hook',
    flags: {
      of,
      verifyToken: ['--verify-token <token>', 'token that the receiver returns when probed (default: VERIFY_TOKEN)'],
      verifyTokenStdin,
    },
    async run(run, [webhookUrl], { of: ws, ...given }) {
      const verifyToken = await readVerifyToken(run, given);
      if (!verifyToken)
        throw usageError('The verify token is missing.', 'Use --verify-token, --verify-token-stdin or VERIFY_TOKEN.');
      const owner = await ownerOf(run, ws);
      const save = () => owner.put({ webhookUrl, verifyToken });
      const saved = await probed(run, webhookUrl, { save, read: () => owner.get() });
      run.output.record(saved, fieldsOf(config, saved));
    },
  }),
  route('clear', 'DELETE /organizations/{org}/default-webhook', {
    summary: 'Clear the default webhook; channels keep theirs',
    examples: '--yes',
    flags: { of, ...yes },
    confirm: () => 'Clear the default webhook? Channels keep theirs.',
    done: () => [{ webhookUrl: null }, 'Cleared the default webhook.'],
  }),
  command('apply', {
    summary: 'Apply the default webhook to existing channels',
    examples: '--dry-run --wait',
    flags: {
      of,
      dryRun: ['--dry-run', 'only say what would happen to each channel'],
      replaceOwn: ['--replace-own', 'also replace the webhooks that channels have of their own'],
      ...yes,
      wait: ['--wait', 'wait for the end and show progress'],
      ...idempotencyKey,
    },
    async run(run, _, { dryRun = false, replaceOwn = false, wait, ...options }) {
      const owner = await ownerOf(run, options.of);
      const which = replaceOwn
        ? 'all channels, replacing their own webhooks'
        : 'channels without a webhook of their own';
      if (!dryRun) await confirm(run.world, `Apply the default webhook to ${which}?`, options);
      const key = omitUndefined({ 'Idempotency-Key': options.idempotencyKey });
      const started = await owner.apply({ dryRun, replaceOwn }, key);
      const { rolloutId } = started;
      if (wait) {
        const ended = await waitForEnd(run, owner, rolloutId);
        return run.output.record(ended, fieldsOf(rollout, ended));
      }
      const hint = `Check it with \`channels default-webhook rollout ${rolloutId}\`.`;
      run.output.done(started, `Started ${rolloutId} over ${started.total} channels. ${hint}`);
    },
  }),
  route('rollouts', 'GET /organizations/{org}/default-webhook/rollouts', {
    summary: 'List rollouts, newest first',
    examples: '--of ws_8kLm3Qz1',
    flags: { of, ...pages },
    columns: {
      'CREATED (UTC)': 'createdAt',
      ROLLOUT: 'rolloutId',
      STATUS: status,
      CHANNELS: (shown) => shown.channelId ?? `${doneOf(shown)}/${shown.total}`,
      APPLIED: 'applied',
      FAILED: 'failed',
    },
  }),
  route('rollout <rollout>', 'GET /organizations/{org}/default-webhook/rollouts/{dwr}', {
    summary: 'Show a rollout',
    flags: { of },
    record: rollout,
  }),
  route('results <rollout>', 'GET /organizations/{org}/default-webhook/rollouts/{dwr}/results', {
    summary: 'List the channels of a rollout',
    examples: 'dwr_4fT9aPq2 --outcome failed',
    flags: {
      of,
      ...pages,
      outcome: ['--outcome <outcome>', 'only channels with this outcome', oneOf(rolloutOutcomes)],
    },
    columns: {
      CHANNEL: 'channelId',
      NAME: ({ displayName }) => displayName ?? '(moved)',
      OUTCOME: toned('outcome', { applied: 'good', unchanged: 'quiet', skipped: 'quiet', failed: 'bad' }),
      REASON: ({ reason, detail }) => detail ?? reason,
    },
  }),
  route('cancel <rollout>', 'POST /organizations/{org}/default-webhook/rollouts/{dwr}/cancel', {
    summary: 'Cancel a rollout; channels that got the default keep it',
    flags: { of },
    done: (cancelled, [dwr]) => `${dwr} is ${cancelled.status}.`,
  }),
]);
