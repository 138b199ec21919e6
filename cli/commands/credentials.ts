import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { group, leaf } from '../arguments.ts';
import { type PageOptions, showList, withPages } from '../listing.ts';
import { when } from '../output.ts';
import { confirm } from '../prompt.ts';
import type { Act, Run } from '../run.ts';

export function addCredentials(program: Command, act: Act): void {
  const credentials = group(program, 'credentials', "Agents' keys, as `channels login` gets one");
  withPages(
    leaf(credentials, 'list', {
      summary: 'Lists the agent credentials, newest first',
      examples: ['channels credentials list'],
    }),
  ).action(act(list));
  withPages(
    leaf(credentials, 'eligible-scopes', {
      summary: 'Lists the scopes that the person can hand to an agent, by organization',
      examples: ['channels credentials eligible-scopes'],
    }),
  ).action(act(eligibleScopes));
  leaf(credentials, 'revoke <credential>', {
    summary: 'Revokes an agent credential at once; an agent may revoke only its own',
    examples: ['channels credentials revoke ac_8kLm3Qz1 --yes'],
  })
    .option('--yes', 'do not ask')
    .action(act(revoke));
}

async function list(run: Run, options: PageOptions): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'credentials',
    empty: 'There are no agent credentials.',
    columns: [
      { title: 'CREDENTIAL', of: ({ credentialId }: Schema<'AgentCredential'>) => credentialId },
      { title: 'PERSON', of: ({ email }) => email },
      { title: 'ORGANIZATION', of: ({ organizationPublicId }) => organizationPublicId },
      { title: 'LAST USED (UTC)', of: ({ lastUsedAt }) => when(lastUsedAt) },
      { title: 'SCOPES', of: ({ scopes }) => scopes.join(', ') },
    ],
    read: (query) => client.get('/agent/credentials', { params: { query } }),
  });
}

async function eligibleScopes(run: Run, options: PageOptions): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'organizations',
    empty: 'There is no organization.',
    columns: [
      {
        title: 'ORGANIZATION',
        of: ({ organizationPublicId }: Schema<'EligibleScopes'>['organizations'][number]) => organizationPublicId,
      },
      { title: 'ROLE', of: ({ role }) => role },
      { title: 'SCOPES', of: ({ scopes }) => scopes.join(', ') },
    ],
    read: (query) => client.get('/agent/credentials/eligible-scopes', { params: { query } }),
  });
}

async function revoke(run: Run, ac: string, options: { yes?: boolean }): Promise<void> {
  const client = await run.client();
  await confirm(run.world, `Revoke ${ac} at once?`, options);
  await client.delete('/agent/credentials/{ac}', { params: { path: { ac } } });
  run.output.done({ credentialId: ac, revoked: true }, `${ac} is revoked.`);
}
