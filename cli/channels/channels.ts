import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { leaf, wholeNumber } from '../commands/arguments.ts';
import { assertEnvValues, envLine, mergeEnvLines } from './env-lines.ts';
import { readTextIfThere, writePrivateFile } from '../profiles/files.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type Column, type Field, type Shown, when } from '../terminal/output.ts';
import { assertSecretOptions, type SecretOptions } from '../commands/secret-options.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

type Channel = Schema<'Channel'>;

export function addChannels(program: Command, act: Act): void {
  withPages(
    leaf(program, 'list', {
      summary: 'Lists the channels of the workspace',
      examples: ['channels list', "channels list --all --json | jq -r '.channels[].id'"],
    }),
  ).action(act(list));
  leaf(program, 'show <channel>', { summary: 'Shows one channel', examples: ['channels show ch_4fT9aPq2'] }).action(
    act(show),
  );
  addSecrets(program, act);
  addSwitches(program, act);
}

function addSecrets(program: Command, act: Act): void {
  leaf(program, 'token <channel>', {
    summary: 'Shows the token that opens the channel at the gateway',
    examples: ['TOKEN=$(channels token ch_4fT9aPq2 --value)', 'channels token ch_4fT9aPq2 --rotate --overlap 600'],
  })
    .option('--value', 'only the token, for a script')
    .option('--rotate', 'mint a new one; the one so far goes on for the overlap')
    .option(
      '--overlap <seconds>',
      'how long the token so far goes on; 3600 unless given, 0 ends it at once',
      wholeNumber,
    )
    .option('--idempotency-key <key>', 'answers a repeat with the same token')
    .action(act(token));
  leaf(program, 'env <channel>', {
    summary: "Prints what the channel's client is set up with, as environment variables",
    examples: ['channels env ch_4fT9aPq2 --write .env', 'eval "$(channels env ch_4fT9aPq2 --export)"'],
  })
    .option('--write <file>', 'put them into this file, whose other lines stay, and print nothing')
    .option('--export', 'with `export` before each, for a shell')
    .action(act(env));
}

function addSwitches(program: Command, act: Act): void {
  leaf(program, 'enable <channel>', {
    summary: 'Turns forwarding on; what was skipped meanwhile is not sent',
    examples: ['channels enable ch_4fT9aPq2'],
  }).action(
    act(async (run, ch: string) =>
      said(run, await (await run.inWorkspace()).post('/platform/channels/{ch}/enable', at(ch)), 'Forwarding is on.'),
    ),
  );
  leaf(program, 'disable <channel>', {
    summary: 'Turns forwarding off; deliveries that wait are skipped',
    examples: ['channels disable ch_4fT9aPq2'],
  }).action(
    act(async (run, ch: string) =>
      said(run, await (await run.inWorkspace()).post('/platform/channels/{ch}/disable', at(ch)), 'Forwarding is off.'),
    ),
  );
  leaf(program, 'disconnect <channel>', {
    summary: 'Disconnects the channel from the platform; deliveries that wait are cancelled',
    examples: ['channels disconnect ch_4fT9aPq2 --yes'],
  })
    .option('--yes', 'do not ask')
    .action(act(disconnect));
  leaf(program, 'move <channel>', {
    summary: 'Moves the channel to another workspace of the organization',
    examples: ['channels move ch_4fT9aPq2 --to ws_8kLm3Qz1'],
  })
    .requiredOption('--to <workspace>', 'where it goes')
    .action(act(move));
}

function at(ch: string) {
  return { params: { path: { ch } } };
}

function said({ output }: Run, channel: Channel, sentence: string): void {
  output.done(channel, `${channel.id} ${channel.displayName}: ${sentence}`);
}

function stateOf({ connected, forwardingEnabled }: Channel): Shown {
  if (!connected) return { text: 'disconnected', tone: 'bad' };
  return forwardingEnabled ? { text: 'connected', tone: 'good' } : { text: 'forwarding off', tone: 'busy' };
}

const columns: readonly Column<Channel>[] = [
  { title: 'CHANNEL', of: ({ id }) => id },
  { title: 'TYPE', of: ({ type }) => type },
  { title: 'NAME', of: ({ displayName }) => displayName },
  { title: 'STATE', of: stateOf },
  { title: 'WEBHOOK', of: ({ webhookUrl }) => webhookUrl },
];

async function list(run: Run, options: PageOptions): Promise<void> {
  const client = await run.inWorkspace();
  await showList(run, options, {
    name: 'channels',
    columns,
    empty: 'There are no channels yet; a customer connects one through `channels onboarding-links create`.',
    read: (query) => client.get('/platform/channels', { params: { query } }),
  });
}

async function show(run: Run, ch: string): Promise<void> {
  const channel = await (await run.inWorkspace()).get('/platform/channels/{ch}', at(ch));
  run.output.record(channel, [
    ['Channel', channel.id],
    ['Name', channel.displayName],
    ['Type', channel.type],
    ['State', stateOf(channel)],
    ...(channel.disconnectedReason === null ? [] : [['Reason', channel.disconnectedReason] satisfies Field]),
    ['Webhook', channel.webhookUrl],
    ['Account', channel.metaResourceId],
    ...(channel.phoneNumberId === null ? [] : [['Phone number id', channel.phoneNumberId] satisfies Field]),
    ['Workspace', channel.workspaceId],
    ['Linked channel', channel.linkedChannelId],
    ['Connected by', `${channel.connectionType} ${channel.credentialId}`],
    ['Created', when(channel.createdAt)],
    ['Changed', when(channel.updatedAt)],
  ]);
}

async function token(run: Run, ch: string, options: SecretOptions): Promise<void> {
  const { rotate, overlap, idempotencyKey } = options;
  assertSecretOptions(run, options);
  const client = await run.inWorkspace();
  const answer = rotate
    ? await client.post('/platform/channels/{ch}/token/rotate', {
        params: { path: { ch }, header: given({ 'Idempotency-Key': idempotencyKey }) },
        body: given({ overlapSeconds: overlap }),
      })
    : await client.get('/platform/channels/{ch}/token', at(ch));
  if (options.value) return run.output.exact(`${answer.token}\n`);
  run.output.record(answer, [
    ['Token', answer.token],
    ['Gateway', answer.baseUrl],
    ['Ends', when(answer.expiresAt) ?? 'when it is rotated'],
    ...('previousTokenExpiresAt' in answer
      ? [['Former token ends', when(answer.previousTokenExpiresAt) ?? 'it has ended'] satisfies Field]
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
  const values: Record<string, string> = answer.values;
  assertEnvValues(values);
  if (write !== undefined) {
    await writePrivateFile(write, mergeEnvLines((await readTextIfThere(write)) ?? '', values));
    const names = Object.keys(values);
    return output.done({ file: write, names }, `${write} has ${names.join(', ')}; only you can read it.`);
  }
  const lines = Object.entries(values).map(([name, value]) => (isExported ? 'export ' : '') + envLine(name, value));
  output.exact(`${lines.join('\n')}\n`);
}

async function disconnect(run: Run, ch: string, options: { yes?: boolean }): Promise<void> {
  const client = await run.inWorkspace();
  await confirm(run.world, `Disconnect ${ch}, and cancel what waits?`, options);
  said(run, await client.post('/platform/channels/{ch}/disconnect', at(ch)), 'It is disconnected.');
}

async function move(run: Run, ch: string, { to }: { to: string }): Promise<void> {
  const moved = await (await run.client()).post('/channels/{ch}/move', { ...at(ch), body: { workspaceId: to } });
  said(run, moved, `It is in ${moved.workspaceId} now; its deliveries so far stay where they were.`);
}
