import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { addCommand, parseWholeNumber } from '../commands/arguments.ts';
import { envValuesOf } from '../../contract/channels/env-names.ts';
import { assertEnvValues, envLine, mergeEnvLines } from './env-lines.ts';
import { readTextIfExists, writePrivateFile } from '../profiles/files.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type Column, type Field, linkCell, timeCell } from '../terminal/output.ts';
import { assertSecretOptions, type SecretOptions } from '../commands/secret-options.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';
import { dashboardField } from '../links/dashboard-url.ts';
import { channelWorkflowsUrl } from '../links/workflow-url.ts';
import { explainTrouble, statusCell, troubleOf } from './delivery-trouble.ts';

type Channel = Schema<'Channel'>;

export function addChannels(program: Command, act: Act): void {
  withPages(
    addCommand(program, 'list', {
      summary: 'List channels',
      examples: ['channels list', "channels list --all --json | jq -r '.channels[].id'"],
    }),
  ).action(act(list));
  addCommand(program, 'show <channel>', { summary: 'Show a channel', examples: ['channels show ch_4fT9aPq2'] }).action(
    act(show),
  );
  addSecrets(program, act);
  addSwitches(program, act);
}

function addSecrets(program: Command, act: Act): void {
  addCommand(program, 'token <channel>', {
    summary: 'Show or rotate the channel token for the gateway',
    examples: ['TOKEN=$(channels token ch_4fT9aPq2 --value)', 'channels token ch_4fT9aPq2 --rotate --overlap 600'],
  })
    .option('--value', 'print only the token')
    .option('--rotate', 'create a new token and keep the old one valid for the overlap')
    .option(
      '--overlap <seconds>',
      'how long the old token stays valid; 0 revokes it immediately (default: 3600)',
      parseWholeNumber,
    )
    .option('--idempotency-key <key>', 'key that makes a retry return the same token')
    .action(act(token));
  addCommand(program, 'env <channel>', {
    summary: 'Print the environment variables of a channel client',
    examples: ['channels env ch_4fT9aPq2 --write .env', 'eval "$(channels env ch_4fT9aPq2 --export)"'],
  })
    .option('--write <file>', 'file to update; its other lines stay')
    .option('--export', 'prefix each line with `export`')
    .action(act(env));
}

function addSwitches(program: Command, act: Act): void {
  addCommand(program, 'enable <channel>', {
    summary: 'Turn on forwarding; skipped events are not sent',
    examples: ['channels enable ch_4fT9aPq2'],
  }).action(
    act(async (run, ch: string) =>
      printDone(
        run,
        await (await run.inWorkspace()).post('/platform/channels/{ch}/enable', at(ch)),
        'Forwarding is on.',
      ),
    ),
  );
  addCommand(program, 'disable <channel>', {
    summary: 'Turn off forwarding; waiting deliveries are skipped',
    examples: ['channels disable ch_4fT9aPq2'],
  }).action(
    act(async (run, ch: string) =>
      printDone(
        run,
        await (await run.inWorkspace()).post('/platform/channels/{ch}/disable', at(ch)),
        'Forwarding is off.',
      ),
    ),
  );
  addCommand(program, 'disconnect <channel>', {
    summary: 'Disconnect a channel from the platform; waiting deliveries are cancelled',
    examples: ['channels disconnect ch_4fT9aPq2 --yes'],
  })
    .option('--yes', 'skip the confirmation')
    .action(act(disconnect));
  addCommand(program, 'move <channel>', {
    summary: 'Move a channel to another workspace of the organization',
    examples: ['channels move ch_4fT9aPq2 --to ws_8kLm3Qz1'],
  })
    .requiredOption('--to <workspace>', 'ID of the target workspace')
    .action(act(move));
}

function at(ch: string) {
  return { params: { path: { ch } } };
}

function printDone({ output }: Run, channel: Channel, sentence: string): void {
  output.done(channel, `${channel.id} ${channel.displayName}: ${sentence}`);
}

const columns: readonly Column<Channel>[] = [
  { title: 'CHANNEL', of: ({ id }) => id },
  { title: 'TYPE', of: ({ type }) => type },
  { title: 'NAME', of: ({ displayName }) => displayName },
  { title: 'STATUS', of: statusCell },
  { title: 'WEBHOOK', of: ({ webhookUrl }) => webhookUrl },
];

async function list(run: Run, options: PageOptions): Promise<void> {
  const client = await run.inWorkspace();
  await showList(run, options, {
    name: 'channels',
    columns,
    explain: (channels) => run.world.stdout.isTTY && explainTrouble(run.output, channels),
    empty: 'No channels found. To connect one, create a link with `channels onboarding-links create`.',
    read: (query) => client.get('/platform/channels', { params: { query } }),
  });
}

async function show(run: Run, ch: string): Promise<void> {
  const channel = await (await run.inWorkspace()).get('/platform/channels/{ch}', at(ch));
  const trouble = troubleOf(channel);
  const link = await dashboardField(run, { workspaceId: channel.workspaceId, page: `channels/${ch}` });
  const workflows = channelWorkflowsUrl(run.world, ch);
  run.output.record(channel, [
    ['Channel', channel.id],
    ['Name', channel.displayName],
    ['Type', channel.type],
    ['Status', statusCell(channel)],
    ...(trouble === undefined ? [] : [['Trouble', { text: trouble.sentence, tone: 'bad' }] satisfies Field]),
    ...(trouble?.steps ?? []).map((step) => ['Next step', step] satisfies Field),
    ['Webhook', channel.webhookUrl],
    ['Account', channel.metaResourceId],
    ...(channel.phoneNumberId === null ? [] : [['Phone number ID', channel.phoneNumberId] satisfies Field]),
    ...(channel.businessAccountId === null ? [] : [['Business account', channel.businessAccountId] satisfies Field]),
    ['Workspace', channel.workspaceId],
    ['Linked channel', channel.linkedChannelId],
    ['Connection', `${channel.connectionType} ${channel.credentialId}`],
    ['Created', timeCell(channel.createdAt)],
    ['Updated', timeCell(channel.updatedAt)],
    ...link,
    ...(workflows === undefined ? [] : [['Workflows', linkCell(workflows)] satisfies Field]),
  ]);
}

async function token(run: Run, ch: string, options: SecretOptions): Promise<void> {
  const { rotate, overlap, idempotencyKey } = options;
  assertSecretOptions(run, options);
  const client = await run.inWorkspace();
  const answer = rotate
    ? await client.post('/platform/channels/{ch}/token/rotate', {
        params: { path: { ch }, header: omitUndefined({ 'Idempotency-Key': idempotencyKey }) },
        body: omitUndefined({ overlapSeconds: overlap }),
      })
    : await client.get('/platform/channels/{ch}/token', at(ch));
  if (options.value) return run.output.exact(`${answer.token}\n`);
  run.output.record(answer, [
    ['Token', answer.token],
    ['Gateway', answer.baseUrl],
    ['Expires', timeCell(answer.expiresAt) ?? 'when rotated'],
    ...('previousTokenExpiresAt' in answer
      ? [['Old token expires', timeCell(answer.previousTokenExpiresAt) ?? 'already revoked'] satisfies Field]
      : []),
  ]);
}

interface EnvOptions {
  readonly write?: string;
  readonly export?: boolean;
}

async function env(run: Run, ch: string, { write, export: isExported }: EnvOptions): Promise<void> {
  const { output } = run;
  const answer = await (await run.inWorkspace()).get('/platform/channels/{ch}/env', at(ch));
  if (output.isJson && write === undefined) return output.json(answer);
  const values = envValuesOf(answer);
  assertEnvValues(values);
  if (write !== undefined) {
    await writePrivateFile(write, mergeEnvLines((await readTextIfExists(write)) ?? '', values));
    const names = Object.keys(values);
    return output.done({ file: write, names }, `Wrote ${names.join(', ')} to ${write}. Only you can read the file.`);
  }
  const lines = Object.entries(values).map(([name, value]) => (isExported ? 'export ' : '') + envLine(name, value));
  output.exact(`${lines.join('\n')}\n`);
}

async function disconnect(run: Run, ch: string, options: { yes?: boolean }): Promise<void> {
  const client = await run.inWorkspace();
  await confirm(run.world, `Disconnect ${ch} and cancel its waiting deliveries?`, options);
  printDone(run, await client.post('/platform/channels/{ch}/disconnect', at(ch)), 'Disconnected.');
}

async function move(run: Run, ch: string, { to }: { to: string }): Promise<void> {
  const moved = await (await run.client()).post('/channels/{ch}/move', { ...at(ch), body: { workspaceId: to } });
  printDone(run, moved, `Moved to ${moved.workspaceId}. Past deliveries stay in the old workspace.`);
}
