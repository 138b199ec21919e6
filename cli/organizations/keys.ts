import { type Command, Option } from 'commander';
import { type Scope, scopes } from '../../contract/identity/scopes.ts';
import type { Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { addGroup, addCommand, listOption, parseList } from '../commands/arguments.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { timeCell } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';
import { cancelEvery } from '../../client/cancel-every.ts';
import { CANCEL_QUESTION, noteScheduled, showScheduledEnd } from '../scheduled/by-key.ts';
import { acceptsOffer } from '../reveals/reveals.ts';

export function addKeys(program: Command, act: Act): void {
  const keys = addGroup(program, 'keys', 'Manage API keys; requires a session (`channels login --session`)');
  addCommand(keys, 'create <name>', {
    summary: 'Create an API key; without limits, it has full access to the organization',
    examples: [
      "channels keys create 'Build server' --json | jq -r .apiKey",
      'channels keys create Reports --scope deliveries.read --only-workspace ws_8kLm3Qz1 --allow-cidr 192.0.2.0/24',
    ],
  })
    .option('--expires <time>', 'ISO 8601 timestamp of expiry (default: never)')
    .addOption(scopeOption)
    .addOption(workspaceOption)
    .addOption(cidrOption)
    .action(act(inSession(create)));
  addChange(keys, act);
  withPages(addCommand(keys, 'list', { summary: 'List active keys', examples: ['channels keys list'] })).action(
    act(inSession(list)),
  );
  addCommand(keys, 'reveal <key>', {
    summary: 'Show a key in full',
    examples: ['channels keys reveal key_8kLm3Qz1'],
  }).action(act(inSession(reveal)));
  addCommand(keys, 'revoke <key>', {
    summary: 'Revoke a key immediately and list what it has scheduled',
    examples: ['channels keys revoke key_8kLm3Qz1 --yes', 'channels keys revoke key_8kLm3Qz1 --yes --cancel-scheduled'],
  })
    .option('--yes', 'skip the confirmation')
    .option('--cancel-scheduled', 'afterwards, cancel the messages and posts that the key has scheduled')
    .action(act(inSession(revoke)));
}

function addChange(keys: Command, act: Act): void {
  addCommand(keys, 'change <key>', {
    summary: 'Rename a key or narrow its limits; open streams end if they lose access',
    examples: [
      'channels keys change key_8kLm3Qz1 --scope deliveries.read',
      'channels keys change key_8kLm3Qz1 --allow-any-address',
    ],
  })
    .option('--name <name>', 'the new name')
    .option('--expires <time>', 'ISO 8601 timestamp of expiry, or never')
    .addOption(scopeOption)
    .addOption(workspaceOption)
    .addOption(cidrOption)
    .option('--allow-any-address', 'remove the list of allowed addresses')
    .action(act(inSession(change)));
}

/**
 * Explains a refusal of key credentials: only sessions may manage keys, because a key could create keys that outlive
 * it.
 */
function inSession<Operands extends unknown[]>(body: (run: Run, ...operands: Operands) => Promise<void>): typeof body {
  return async (run, ...operands) => {
    try {
      await body(run, ...operands);
    } catch (error) {
      const isKey = run.settings.credential?.value.kind === 'key';
      if (!(error instanceof ApiError) || error.statusCode !== 403 || !isKey) throw error;
      throw new CliError(`Managing keys requires a session, and this credential is a key: ${error.message}`, {
        exitCode: exitCodes.forbidden,
        hint: 'Sign in with `channels login --session --profile me`, then use --profile me and unset SERVICE_API_KEY.',
      });
    }
  };
}

const scopeOption = listOption('--scope <scopes>', 'only these scopes', scopes);
const workspaceOption = new Option('--only-workspace <workspaces>', 'only these workspaces (ws_…)').argParser(
  parseList,
);
const cidrOption = new Option('--allow-cidr <blocks>', 'only callers from these IP addresses or blocks').argParser(
  parseList,
);

interface LimitOptions {
  readonly expires?: string;
  readonly scope?: Scope[];
  readonly onlyWorkspace?: string[];
  readonly allowCidr?: string[];
}

const limitsOf = ({ scope, onlyWorkspace, allowCidr }: LimitOptions) =>
  omitUndefined({ scopes: scope, workspaceIds: onlyWorkspace, allowedCidrs: allowCidr });

async function create(run: Run, name: string, options: LimitOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const body = { name, ...omitUndefined({ expiresAt: options.expires }), ...limitsOf(options) };
  const made = await client.post('/organizations/{org}/keys', { params: { path: { org } }, body });
  run.output.record(made, [
    ['Key', made.keyId],
    ['API key', made.apiKey],
    ['Name', made.name],
    ...limitRows(made),
    ['Expires', timeCell(made.expiresAt) ?? 'never'],
  ]);
}

function limitRows({
  scopes,
  workspaceIds,
  allowedCidrs,
}: Pick<Schema<'ApiKey'>, 'scopes' | 'workspaceIds' | 'allowedCidrs'>) {
  const shown = (limits: readonly string[] | null): string => limits?.join(', ') ?? 'all';
  return [
    ['Scopes', shown(scopes)],
    ['Workspaces', shown(workspaceIds)],
    ['Addresses', shown(allowedCidrs)],
  ] as const;
}

interface ChangeOptions extends LimitOptions {
  readonly name?: string;
  readonly allowAnyAddress?: true;
}

async function change(run: Run, key: string, options: ChangeOptions): Promise<void> {
  const { name, expires, allowAnyAddress } = options;
  const [client, org] = [await run.client(), await run.organizationId()];
  const body = {
    ...omitUndefined({ name, expiresAt: expires === 'never' ? null : expires }),
    ...limitsOf(options),
    ...(allowAnyAddress && { allowedCidrs: null }),
  };
  const changed = await client.patch('/organizations/{org}/keys/{key}', { params: { path: { org, key } }, body });
  run.output.record(changed, [
    ['Key', changed.keyId],
    ['Name', changed.name],
    ...limitRows(changed),
    ['Expires', timeCell(changed.expiresAt) ?? 'never'],
  ]);
}

async function list(run: Run, options: PageOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  await showList(run, options, {
    name: 'keys',
    empty: 'No keys found.',
    columns: [
      { title: 'KEY', of: ({ keyId }: Schema<'ApiKey'>) => keyId },
      { title: 'NAME', of: ({ name }) => name },
      { title: 'API KEY', of: ({ keyPrefix, keySuffix }) => `${keyPrefix}…${keySuffix}` },
      { title: 'SCOPES', of: ({ scopes }) => scopes?.join(', ') ?? 'all' },
      { title: 'WORKSPACES', of: ({ workspaceIds }) => workspaceIds?.join(', ') ?? 'all' },
      { title: 'LAST USED (UTC)', of: ({ lastUsedAt }) => timeCell(lastUsedAt) },
      { title: 'EXPIRES (UTC)', of: ({ expiresAt }) => timeCell(expiresAt) },
    ],
    read: (query) => client.get('/organizations/{org}/keys', { params: { path: { org }, query } }),
  });
}

async function reveal(run: Run, key: string): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const shown = await client.post('/organizations/{org}/keys/{key}/reveal', { params: { path: { org, key } } });
  run.output.record(shown, [
    ['Key', shown.keyId],
    ['API key', shown.apiKey],
  ]);
}

interface RevokeOptions {
  readonly yes?: boolean;
  readonly cancelScheduled?: boolean;
}

async function revoke(run: Run, key: string, { yes, cancelScheduled: option }: RevokeOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const params = { path: { org, key } };
  const count = await noteScheduled(run, () => client.get('/organizations/{org}/keys/{key}/scheduled', { params }));
  await confirm(run.world, `Revoke ${key} immediately?`, { yes });
  await client.delete('/organizations/{org}/keys/{key}', { params });
  const isWanted = count > 0 && (await acceptsOffer(run, CANCEL_QUESTION, { option, yes }));
  const cancel = () => client.post('/organizations/{org}/keys/{key}/cancel-scheduled', { params });
  const cancellations = isWanted ? await cancelEvery(cancel) : undefined;
  run.output.done({ keyId: key, revoked: true, ...omitUndefined({ cancellations }) }, `Revoked ${key}.`);
  if (!run.output.isJson) showScheduledEnd(run, { count, cancellations });
}
