import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { type DefaultWebhookCalls, ofOrganization, ofWorkspace } from '../../client/default-webhooks.ts';
import { type RolloutOutcome, rolloutOutcomes, type RolloutStatus } from '../../contract/webhooks/rollout.ts';
import { addCommand, addGroup, choiceOption } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { usageError, VerificationError } from '../terminal/failures.ts';
import { type CellValue, timeCell, type Tone } from '../terminal/output.ts';
import { pause } from '../terminal/pause.ts';
import { confirm, readSecretLine } from '../terminal/prompt.ts';
import { probeLines } from './probe-lines.ts';

type Rollout = Schema<'WebhookRollout'>;
type Result = Schema<'WebhookRolloutResult'>;

const rolloutTones: Readonly<Record<RolloutStatus, Tone>> = { running: 'busy', completed: 'good', cancelled: 'quiet' };
const outcomeTones: Readonly<Record<RolloutOutcome, Tone>> = {
  applied: 'good',
  unchanged: 'quiet',
  skipped: 'quiet',
  failed: 'bad',
};
const POLL_MS = 1_000;

interface OwnerOption {
  readonly of?: string;
}

export function addDefaultWebhook(program: Command, act: Act): void {
  const group = addGroup(program, 'default-webhook', 'Manage the webhook that new channels get');
  const add = (usage: string, summary: string, example: string) =>
    addCommand(group, usage, { summary, examples: [`channels default-webhook ${example}`] }).option(
      '--of <workspace>',
      'ID of a workspace (default: the organization)',
    );
  add('show', 'Show the default webhook', 'show --of ws_8kLm3Qz1').action(act(show));
  add('set <url>', 'Set the default webhook after the URL passes two probes', 'set https://app.example.com/hook')
    .option('--verify-token <token>', 'token that the receiver returns when probed (default: VERIFY_TOKEN)')
    .option('--verify-token-stdin', 'read the verify token from standard input')
    .action(act(set));
  add('clear', 'Clear the default webhook; channels keep theirs', 'clear --yes')
    .option('--yes', 'skip the confirmation')
    .action(act(clear));
  add('apply', 'Apply the default webhook to existing channels', 'apply --dry-run --wait')
    .option('--dry-run', 'only say what would happen to each channel')
    .option('--replace-own', 'also replace the webhooks that channels have of their own')
    .option('--yes', 'skip the confirmation')
    .option('--wait', 'wait for the end and show progress')
    .option('--idempotency-key <key>', 'key that makes a retry safe')
    .action(act(apply));
  withPages(add('rollouts', 'List rollouts, newest first', 'rollouts --of ws_8kLm3Qz1')).action(act(list));
  add('rollout <rollout>', 'Show a rollout', 'rollout dwr_4fT9aPq2').action(act(showOne));
  withPages(add('results <rollout>', 'List the channels of a rollout', 'results dwr_4fT9aPq2 --outcome failed'))
    .addOption(choiceOption('--outcome <outcome>', 'only channels with this outcome', rolloutOutcomes))
    .action(act(results));
  add('cancel <rollout>', 'Cancel a rollout; channels that got the default keep it', 'cancel dwr_4fT9aPq2').action(
    act(cancel),
  );
}

async function ownerOf(run: Run, { of: ws }: OwnerOption): Promise<DefaultWebhookCalls> {
  const client = await run.client();
  return ws === undefined ? ofOrganization(client, await run.organizationId()) : ofWorkspace(client, ws);
}

function showDefault({ output }: Run, config: Schema<'DefaultWebhook'>): void {
  const { organizationId, workspaceId, webhookUrl, inheritedWebhookUrl, verifiedAt } = config;
  output.record(config, [
    ['Of', workspaceId ?? organizationId],
    ['Webhook', webhookUrl ?? 'not set'],
    ['Verified', timeCell(verifiedAt)],
    ['Organization', inheritedWebhookUrl],
  ]);
}

async function show(run: Run, options: OwnerOption): Promise<void> {
  showDefault(run, await (await ownerOf(run, options)).get());
}

interface SetOptions extends OwnerOption {
  readonly verifyToken?: string;
  readonly verifyTokenStdin?: boolean;
}

async function set(run: Run, webhookUrl: string, options: SetOptions): Promise<void> {
  const { verifyToken, verifyTokenStdin } = options;
  if (verifyToken !== undefined && verifyTokenStdin)
    throw usageError('--verify-token and --verify-token-stdin cannot be combined.');
  const given = verifyTokenStdin ? await readSecretLine(run.world, 'verify token') : verifyToken;
  const token = given ?? run.world.env['VERIFY_TOKEN'];
  if (!token)
    throw usageError('The verify token is missing.', 'Use --verify-token, --verify-token-stdin or VERIFY_TOKEN.');
  const owner = await ownerOf(run, options);
  run.progress.show(`Probing ${webhookUrl}`);
  const config = await owner.put({ webhookUrl, verifyToken: token }).catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'WEBHOOK_URL_VERIFICATION_FAILED') throw error;
    const { lastVerification: last } = await owner.get();
    throw new VerificationError(error, last?.url === webhookUrl && !last.ok ? last.probes : []);
  });
  run.progress.end();
  run.output.note(['Both probes passed.', ...probeLines(config.lastVerification?.probes ?? [])].join('\n'));
  showDefault(run, config);
}

async function clear(run: Run, options: OwnerOption & { yes?: boolean }): Promise<void> {
  const owner = await ownerOf(run, options);
  await confirm(run.world, 'Clear the default webhook? Channels keep theirs.', options);
  await owner.clear();
  run.output.done({ webhookUrl: null }, 'Cleared the default webhook.');
}

interface ApplyOptions extends OwnerOption {
  readonly dryRun?: boolean;
  readonly replaceOwn?: boolean;
  readonly yes?: boolean;
  readonly wait?: boolean;
  readonly idempotencyKey?: string;
}

async function apply(run: Run, options: ApplyOptions): Promise<void> {
  const { dryRun = false, replaceOwn = false, wait, idempotencyKey } = options;
  const owner = await ownerOf(run, options);
  const which = replaceOwn ? 'all channels, replacing their own webhooks' : 'channels without a webhook of their own';
  if (!dryRun) await confirm(run.world, `Apply the default webhook to ${which}?`, options);
  const key = omitUndefined({ 'Idempotency-Key': idempotencyKey });
  const started = await owner.apply({ dryRun, replaceOwn }, key);
  const { rolloutId } = started;
  if (wait) return showRollout(run, await waitForEnd(run, owner, rolloutId));
  const hint = `Check it with \`channels default-webhook rollout ${rolloutId}\`.`;
  run.output.done(started, `Started ${rolloutId} over ${started.total} channels. ${hint}`);
}

async function waitForEnd(run: Run, owner: DefaultWebhookCalls, rolloutId: string): Promise<Rollout> {
  for (;;) {
    const rollout = await owner.read(rolloutId);
    const { status, total } = rollout;
    const done = doneOf(rollout);
    if (status !== 'running') {
      run.progress.end();
      return rollout;
    }
    run.progress.show(`${done}/${total} channels`, total > 0 ? done / total : undefined);
    await pause(POLL_MS, run.world);
  }
}

function doneOf({ applied, unchanged, skipped, failed }: Rollout): number {
  return applied + unchanged + skipped + failed;
}

function statusCell({ status }: Rollout): CellValue {
  return { text: status, tone: rolloutTones[status] };
}

function showRollout({ output }: Run, rollout: Rollout): void {
  output.record(rollout, [
    ['Rollout', rollout.rolloutId],
    ['Status', statusCell(rollout)],
    ['Webhook', rollout.webhookUrl],
    ['Dry run', rollout.dryRun ? 'yes' : 'no'],
    ['Channels', `${doneOf(rollout)} of ${rollout.total}`],
    ['Applied', rollout.applied],
    ['Unchanged', rollout.unchanged],
    ['Skipped', rollout.skipped],
    ['Failed', rollout.failed],
    ['Ended (UTC)', timeCell(rollout.endedAt)],
    ['Workflow', rollout.workflowId],
  ]);
}

async function list(run: Run, options: PageOptions & OwnerOption): Promise<void> {
  const owner = await ownerOf(run, options);
  await showList(run, options, {
    name: 'rollouts',
    empty: 'No rollouts found.',
    columns: [
      { title: 'CREATED (UTC)', of: ({ createdAt }: Rollout) => timeCell(createdAt) },
      { title: 'ROLLOUT', of: ({ rolloutId }) => rolloutId },
      { title: 'STATUS', of: statusCell },
      { title: 'CHANNELS', of: (rollout) => rollout.channelId ?? `${doneOf(rollout)}/${rollout.total}` },
      { title: 'APPLIED', of: ({ applied }) => applied },
      { title: 'FAILED', of: ({ failed }) => failed },
    ],
    read: (query) => owner.list(query),
  });
}

async function showOne(run: Run, dwr: string, options: OwnerOption): Promise<void> {
  showRollout(run, await (await ownerOf(run, options)).read(dwr));
}

async function results(
  run: Run,
  ...[dwr, options]: [string, PageOptions & OwnerOption & { outcome?: RolloutOutcome }]
): Promise<void> {
  const owner = await ownerOf(run, options);
  await showList(run, options, {
    name: 'results',
    empty: 'No results found.',
    columns: [
      { title: 'CHANNEL', of: ({ channelId }: Result) => channelId },
      { title: 'NAME', of: ({ displayName }) => displayName ?? '(moved)' },
      { title: 'OUTCOME', of: ({ outcome }) => ({ text: outcome, tone: outcomeTones[outcome] }) },
      { title: 'REASON', of: ({ reason, detail }) => detail ?? reason },
    ],
    read: (query) => owner.results(dwr, { ...query, ...omitUndefined({ outcome: options.outcome }) }),
  });
}

async function cancel(run: Run, dwr: string, options: OwnerOption): Promise<void> {
  const rollout = await (await ownerOf(run, options)).cancel(dwr);
  run.output.done(rollout, `${dwr} is ${rollout.status}.`);
}
