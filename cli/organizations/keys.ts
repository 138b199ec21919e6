import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { group, leaf } from '../commands/arguments.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { when } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

export function addKeys(program: Command, act: Act): void {
  const keys = group(
    program,
    'keys',
    "API keys of the organization; in a person's session only (`channels login --session`)",
  );
  leaf(keys, 'create <name>', {
    summary: 'Makes an API key with full access to the organization, and shows it',
    examples: ["channels keys create 'Build server' --json | jq -r .apiKey"],
  })
    .option('--expires <instant>', 'when it ends; it stays until it is revoked unless given')
    .action(act(inSession(create)));
  withPages(
    leaf(keys, 'list', { summary: 'Lists the keys that are not revoked', examples: ['channels keys list'] }),
  ).action(act(inSession(list)));
  leaf(keys, 'reveal <key>', {
    summary: 'Shows a key in full',
    examples: ['channels keys reveal key_8kLm3Qz1'],
  }).action(act(inSession(reveal)));
  leaf(keys, 'revoke <key>', { summary: 'Ends a key at once', examples: ['channels keys revoke key_8kLm3Qz1 --yes'] })
    .option('--yes', 'do not ask')
    .action(act(inSession(revoke)));
}

/** Says what to do where the credential is no session: a key that made keys would outlive its own end. */
function inSession<Operands extends unknown[]>(body: (run: Run, ...operands: Operands) => Promise<void>): typeof body {
  return async (run, ...operands) => {
    try {
      await body(run, ...operands);
    } catch (error) {
      const isKey = run.settings.credential?.value.kind === 'key';
      if (!(error instanceof ApiError) || error.statusCode !== 403 || !isKey) throw error;
      throw new CliError(`Keys are managed by a person in a session, and this is a key: ${error.message}`, {
        exitCode: exitCodes.forbidden,
        hint: 'Sign in beside it: `channels login --session --profile me`, then say --profile me (and unset SERVICE_API_KEY).',
      });
    }
  };
}

async function create(run: Run, name: string, { expires }: { expires?: string }): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const body = { name, ...given({ expiresAt: expires }) };
  const made = await client.post('/organizations/{org}/keys', { params: { path: { org } }, body });
  run.output.record(made, [
    ['Key', made.keyId],
    ['API key', made.apiKey],
    ['Name', made.name],
    ['Ends', when(made.expiresAt) ?? 'when it is revoked'],
  ]);
}

async function list(run: Run, options: PageOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  await showList(run, options, {
    name: 'keys',
    empty: 'There are no keys.',
    columns: [
      { title: 'KEY', of: ({ keyId }: Schema<'ApiKey'>) => keyId },
      { title: 'NAME', of: ({ name }) => name },
      { title: 'BEGINS', of: ({ keyPrefix, keySuffix }) => `${keyPrefix}…${keySuffix}` },
      { title: 'SCOPES', of: ({ scopes }) => scopes?.join(', ') ?? 'everything' },
      { title: 'LAST USED (UTC)', of: ({ lastUsedAt }) => when(lastUsedAt) },
      { title: 'ENDS (UTC)', of: ({ expiresAt }) => when(expiresAt) },
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
  await confirm(run.world, `End ${key} at once?`, options);
  await client.delete('/organizations/{org}/keys/{key}', { params: { path: { org, key } } });
  run.output.done({ keyId: key, revoked: true }, `${key} has ended.`);
}
