import type { Schema } from '../../client/create-client.ts';
import { envValuesOf } from '../../contract/channels/env-names.ts';
import { healthStatuses } from '../../contract/channels/health.ts';
import { type Definition, command } from '../commands/definition.ts';
import { oneOf, pages, required, wholeNumber, yes } from '../commands/flags.ts';
import { showList } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { route } from '../commands/route.ts';
import { assertSecretOptions } from '../commands/secret-options.ts';
import { dashboardField } from '../links/dashboard-url.ts';
import { channelWorkflowsUrl } from '../links/workflow-url.ts';
import { readTextIfExists, writePrivateFile } from '../profiles/files.ts';
import { type Field, fieldsOf, formatTime, linkCell, timeCell, toned, type View } from '../terminal/output.ts';
import { explainTrouble, statusCell, troubleOf } from './delivery-trouble.ts';
import { assertEnvValues, envLine, mergeEnvLines } from './env-lines.ts';

type Channel = Schema<'Channel'>;

const said = (sentence: string) => (channel: Channel) => `${channel.id} ${channel.displayName}: ${sentence}`;

const shown: View<Channel> = {
  Webhook: ({ webhookUrl }) => webhookUrl ?? 'not set',
  Account: 'metaResourceId',
  'Phone number ID': 'phoneNumberId',
  'Business account': 'businessAccountId',
  Workspace: 'workspaceId',
  'Linked channel': 'linkedChannelId',
  Connection: ({ connectionType, credentialId }) => `${connectionType} ${credentialId}`,
  Created: 'createdAt',
  Updated: 'updatedAt',
};

export const channels: readonly Definition[] = [
  route('list', 'GET /platform/channels', {
    summary: 'List channels',
    examples: ['', "channels list --all --json | jq -r '.channels[].id'"],
    flags: pages,
    columns: { CHANNEL: 'id', TYPE: 'type', NAME: 'displayName', STATUS: statusCell, WEBHOOK: 'webhookUrl' },
    explain: ({ world, output }, all) => void (world.stdout.isTTY && explainTrouble(output, all)),
    empty: 'No channels found. To connect one, create a link with `channels onboarding-links create`.',
  }),
  route('show <channel>', 'GET /platform/channels/{ch}', {
    summary: 'Show a channel',
    async show(run, channel, { args: [ch] }) {
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
        ...fieldsOf(shown, channel),
        ...link,
        ...(workflows === undefined ? [] : [['Workflows', linkCell(workflows)] satisfies Field]),
      ]);
    },
  }),
  command('token <channel>', {
    summary: 'Show or rotate the channel token for the gateway',
    examples: ['TOKEN=$(channels token ch_4fT9aPq2 --value)', 'ch_4fT9aPq2 --rotate --overlap 600'],
    flags: {
      value: ['--value', 'print only the token'],
      rotate: ['--rotate', 'create a new token and keep the old one valid for the overlap'],
      overlap: [
        '--overlap <seconds>',
        'how long the old token stays valid; 0 revokes it immediately (default: 3600)',
        wholeNumber,
      ],
      idempotencyKey: ['--idempotency-key <key>', 'key that makes a retry return the same token'],
    },
    async run(run, [ch], options) {
      assertSecretOptions(run, options);
      const client = await run.inWorkspace();
      const answer = options.rotate
        ? await client.post('/platform/channels/{ch}/token/rotate', {
            params: { path: { ch }, header: omitUndefined({ 'Idempotency-Key': options.idempotencyKey }) },
            body: omitUndefined({ overlapSeconds: options.overlap }),
          })
        : await client.get('/platform/channels/{ch}/token', { params: { path: { ch } } });
      if (options.value) return run.output.exact(`${answer.token}\n`);
      run.output.record(answer, [
        ['Token', answer.token],
        ['Gateway', answer.baseUrl],
        ['Expires', timeCell(answer.expiresAt) ?? 'when rotated'],
        ...('previousTokenExpiresAt' in answer
          ? [['Old token expires', timeCell(answer.previousTokenExpiresAt) ?? 'already revoked'] satisfies Field]
          : []),
      ]);
    },
  }),
  command('env <channel>', {
    summary: 'Print the environment variables of a channel client',
    examples: ['ch_4fT9aPq2 --write .env', 'eval "$(channels env ch_4fT9aPq2 --export)"'],
    flags: {
      write: ['--write <file>', 'file to update; its other lines stay'],
      export: ['--export', 'prefix each line with `export`'],
    },
    async run(run, [ch], { write, export: isExported }) {
      const { output } = run;
      const answer = await (await run.inWorkspace()).get('/platform/channels/{ch}/env', { params: { path: { ch } } });
      if (output.isJson && write === undefined) return output.json(answer);
      const values = envValuesOf(answer);
      assertEnvValues(values);
      if (write !== undefined) {
        await writePrivateFile(write, mergeEnvLines((await readTextIfExists(write)) ?? '', values));
        const names = Object.keys(values);
        return output.done(
          { file: write, names },
          `Wrote ${names.join(', ')} to ${write}. Only you can read the file.`,
        );
      }
      const lines = Object.entries(values).map(([name, value]) => (isExported ? 'export ' : '') + envLine(name, value));
      output.exact(`${lines.join('\n')}\n`);
    },
  }),
  route('enable <channel>', 'POST /platform/channels/{ch}/enable', {
    summary: 'Turn on forwarding; skipped events are not sent',
    done: said('Forwarding is on.'),
  }),
  route('disable <channel>', 'POST /platform/channels/{ch}/disable', {
    summary: 'Turn off forwarding; waiting deliveries are skipped',
    done: said('Forwarding is off.'),
  }),
  route('disconnect <channel>', 'POST /platform/channels/{ch}/disconnect', {
    summary: 'Disconnect a channel from the platform; waiting deliveries are cancelled',
    examples: 'ch_4fT9aPq2 --yes',
    flags: yes,
    confirm: ([ch]) => `Disconnect ${ch} and cancel its waiting deliveries?`,
    done: said('Disconnected.'),
  }),
  route('move <channel>', 'POST /channels/{ch}/move', {
    summary: 'Move a channel to another workspace of the organization',
    examples: 'ch_4fT9aPq2 --to ws_8kLm3Qz1',
    flags: { workspaceId: ['--to <workspace>', 'ID of the target workspace', required()] },
    done: (moved) => said(`Moved to ${moved.workspaceId}. Past deliveries stay in the old workspace.`)(moved),
  }),
];

type Health = Schema<'AccountHealth'>;

const healthCell = toned('status', { healthy: 'good', warning: 'busy', failing: 'bad', unknown: 'quiet' });
const given = (value: string | null | undefined) => value || undefined;

const details: View<Health> = {
  Quality: 'quality',
  Tier: 'tier',
  Throughput: 'throughput',
  Account: 'accountStatus',
  Name: 'name',
  'Name review': 'nameStatus',
  'User name': 'username',
  Picture: 'pictureUrl',
  'Business account': 'businessAccountId',
  'Granted permissions': ({ permissions }) => given(permissions && (permissions.granted.join(', ') || 'none')),
  'Missing permissions': ({ permissions }) => given(permissions && (permissions.missing.join(', ') || 'none')),
  'Subscribed events': ({ subscription }) => given(subscription?.fields.join(', ')),
  'Missing events': ({ subscription }) => given(subscription?.missing.join(', ')),
  'Last failure': ({ lastFailure }) => given(lastFailure && `${lastFailure.code} at ${formatTime(lastFailure.at)}`),
  'Credential ends': ({ credentialExpiresAt, checkedAt }) =>
    timeCell(credentialExpiresAt) ?? (checkedAt === null ? 'unknown' : 'never'),
};

export const accountHealth = command('health [channel]', {
  summary: "Show what the platform says about a channel's account, or list all channels",
  examples: [
    '--status warning',
    'ch_4fT9aPq2 --refresh',
    "channels health ch_4fT9aPq2 --json | jq -r '.reasons[].message'",
  ],
  flags: {
    refresh: ['--refresh', 'check now; needs a channel'],
    status: ['--status <status>', 'list only channels with this status', oneOf(healthStatuses)],
    ...pages,
  },
  async run(run, [ch], { refresh, status, ...options }) {
    if (ch === undefined) {
      const ws = await run.workspaceId();
      const client = await run.client();
      return await showList(run, options, {
        read: (page) => {
          const query = omitUndefined({ ...page, status });
          return client.get('/workspaces/{ws}/channel-health', { params: { path: { ws }, query } });
        },
        columns: {
          CHANNEL: 'channelId',
          NAME: ({ name, username }) => name ?? username,
          HEALTH: healthCell,
          REASONS: ({ reasons }) => reasons.map(({ code }) => code).join(', '),
          QUALITY: 'quality',
          TIER: 'tier',
          'CHECKED (UTC)': 'checkedAt',
        },
      });
    }
    const client = await run.client();
    const at = { params: { path: { ch } } };
    const answer = refresh
      ? await client.post('/channels/{ch}/health/refresh', at)
      : await client.get('/channels/{ch}/health', at);
    run.output.record(answer, [
      ['Channel', answer.channelId],
      ['Health', healthCell(answer)],
      ...answer.reasons.map(({ code, message }): Field => ['Reason', `${code}: ${message}`]),
      ['Checked', timeCell(answer.checkedAt) ?? 'not yet'],
      ...fieldsOf(details, answer),
    ]);
  },
});
