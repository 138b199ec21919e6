import type { Schema } from '../../client/create-client.ts';
import { cancelEvery } from '../../client/cancel-every.ts';
import { scopes } from '../../contract/identity/scopes.ts';
import { command, type Definition, group } from '../commands/definition.ts';
import { type Flags, type Kind, local, pages, someOf, words, yes } from '../commands/flags.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { route } from '../commands/route.ts';
import { acceptsOffer, CANCEL_QUESTION, noteScheduled, showScheduledEnd } from '../reveals/offers.ts';
import { listText, timeCell, type View } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';

type Key = Schema<'ApiKey'>;

const limits = {
  scopes: ['--scope <scopes>', 'only these scopes', someOf(scopes)],
  workspaceIds: ['--only-workspace <workspaces>', 'only these workspaces (ws_…)', words],
  allowedCidrs: ['--allow-cidr <blocks>', 'only callers from these IP addresses or blocks', words],
} as const satisfies Flags;

const limited: View<Pick<Key, 'name' | 'scopes' | 'workspaceIds' | 'allowedCidrs' | 'expiresAt'>> = {
  Name: 'name',
  Scopes: (key) => listText(key.scopes),
  Workspaces: ({ workspaceIds }) => listText(workspaceIds),
  Addresses: ({ allowedCidrs }) => listText(allowedCidrs),
  Expires: ({ expiresAt }) => timeCell(expiresAt) ?? 'never',
};

const orNever: Kind<string | null | undefined> = {
  convert: (text: string | undefined) => (text === 'never' ? null : text),
};

const entries: readonly Definition[] = [
  route('create <name>', 'POST /organizations/{org}/keys', {
    summary: 'Create an API key; without limits, it has full access to the organization',
    examples: [
      "channels keys create 'Build server' --json | jq -r .apiKey",
      'Reports --scope deliveries.read --only-workspace ws_8kLm3Qz1 --allow-cidr 192.0.2.0/24',
    ],
    flags: { expiresAt: ['--expires <time>', 'ISO 8601 timestamp of expiry (default: never)'], ...limits },
    record: { Key: 'keyId', 'API key': 'apiKey', ...limited },
  }),
  route('change <key>', 'PATCH /organizations/{org}/keys/{key}', {
    summary: 'Rename a key or narrow its limits; open streams end if they lose access',
    examples: ['key_8kLm3Qz1 --scope deliveries.read', 'key_8kLm3Qz1 --allow-any-address'],
    flags: {
      name: ['--name <name>', 'the new name'],
      expiresAt: ['--expires <time>', 'ISO 8601 timestamp of expiry, or never', orNever],
      ...limits,
      anyAddress: ['--allow-any-address', 'remove the list of allowed addresses', local],
    },
    input: ({ anyAddress, ...changes }) => ({ ...changes, ...(anyAddress && { allowedCidrs: null }) }),
    record: { Key: 'keyId', ...limited },
  }),
  route('list', 'GET /organizations/{org}/keys', {
    summary: 'List active keys',
    flags: pages,
    columns: {
      KEY: 'keyId',
      NAME: 'name',
      'API KEY': ({ keyPrefix, keySuffix }) => `${keyPrefix}…${keySuffix}`,
      SCOPES: (key) => listText(key.scopes),
      WORKSPACES: ({ workspaceIds }) => listText(workspaceIds),
      'LAST USED (UTC)': 'lastUsedAt',
      'EXPIRES (UTC)': 'expiresAt',
    },
  }),
  route('reveal <key>', 'POST /organizations/{org}/keys/{key}/reveal', {
    summary: 'Show a key in full',
    record: { Key: 'keyId', 'API key': 'apiKey' },
  }),
  command('revoke <key>', {
    summary: 'Revoke a key immediately and list what it has scheduled',
    examples: ['key_8kLm3Qz1 --yes', 'key_8kLm3Qz1 --yes --cancel-scheduled'],
    flags: {
      ...yes,
      cancelScheduled: ['--cancel-scheduled', 'afterwards, cancel the messages and posts that the key has scheduled'],
    },
    async run(run, [key], { yes: isConfirmed, cancelScheduled: option }) {
      const client = await run.client();
      const org = await run.organizationId();
      const params = { path: { org, key } };
      const count = await noteScheduled(run, () => client.get('/organizations/{org}/keys/{key}/scheduled', { params }));
      await confirm(run.world, `Revoke ${key} immediately?`, { yes: isConfirmed });
      await client.delete('/organizations/{org}/keys/{key}', { params });
      const isWanted = count > 0 && (await acceptsOffer(run, CANCEL_QUESTION, { option, yes: isConfirmed }));
      const cancel = () => client.post('/organizations/{org}/keys/{key}/cancel-scheduled', { params });
      const cancellations = isWanted ? await cancelEvery(cancel) : undefined;
      run.output.done({ keyId: key, revoked: true, ...omitUndefined({ cancellations }) }, `Revoked ${key}.`);
      if (!run.output.isJson) showScheduledEnd(run, { count, cancellations });
    },
  }),
];

export const keys = group('keys', 'Manage API keys; requires a session (`channels login --session`)', entries);
