import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { addGroup, addCommand } from '../commands/arguments.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { formatTime } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

export function addKeys(program: Command, act: Act): void {
  const keys = addGroup(program, 'keys', 'Manage API keys; requires a session (`channels login --session`)');
  addCommand(keys, 'create <name>', {
    summary: 'Create an API key with full access to the organization',
    examples: ["channels keys create 'Build server' --json | jq -r .apiKey"],
  })
    .option('--expires <time>', 'ISO 8601 timestamp of expiry (default: never)')
    .action(act(inSession(create)));
  withPages(addCommand(keys, 'list', { summary: 'List active keys', examples: ['channels keys list'] })).action(
    act(inSession(list)),
  );
  addCommand(keys, 'reveal <key>', {
    summary: 'Show a key in full',
    examples: ['channels keys reveal key_8kLm3Qz1'],
  }).action(act(inSession(reveal)));
  addCommand(keys, 'revoke <key>', {
    summary: 'Revoke a key immediately',
    examples: ['channels keys revoke key_8kLm3Qz1 --yes'],
  })
    .option('--yes', 'skip the confirmation')
    .action(act(inSession(revoke)));
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

async function create(run: Run, name: string, { expires }: { expires?: string }): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const body = { name, ...omitUndefined({ expiresAt: expires }) };
  const made = await client.post('/organizations/{org}/keys', { params: { path: { org } }, body });
  run.output.record(made, [
    ['Key', made.keyId],
    ['API key', made.apiKey],
    ['Name', made.name],
    ['Expires', formatTime(made.expiresAt) ?? 'never'],
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
      { title: 'LAST USED (UTC)', of: ({ lastUsedAt }) => formatTime(lastUsedAt) },
      { title: 'EXPIRES (UTC)', of: ({ expiresAt }) => formatTime(expiresAt) },
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

async function revoke(run: Run, key: string, options: { yes?: boolean }): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  await confirm(run.world, `Revoke ${key} immediately?`, options);
  await client.delete('/organizations/{org}/keys/{key}', { params: { path: { org, key } } });
  run.output.done({ keyId: key, revoked: true }, `Revoked ${key}.`);
}
