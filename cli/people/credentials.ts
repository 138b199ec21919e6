import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { group, leaf } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { when } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';
import {
  accepts,
  noteReveals,
  readEvery,
  revealColumns,
  rotationBody,
  type RotateOptions,
  type Rotations,
  showRotations,
  withRotation,
} from '../reveals/revealed.ts';
import type { Act, Run } from '../commands/run.ts';

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
    summary: 'Revokes an agent credential at once and says which secrets it has read; an agent may revoke only its own',
    examples: [
      'channels credentials revoke ac_8kLm3Qz1',
      'channels credentials revoke ac_8kLm3Qz1 --yes --rotate-revealed',
    ],
  })
    .option('--yes', 'do not ask')
    .option('--rotate-revealed', 'then rotate the secrets that it has read, with an overlap of an hour')
    .action(act(revoke));
  withPages(
    leaf(credentials, 'reveals <credential>', {
      summary: 'Lists the secrets that an agent has read, also after its credential was revoked',
      examples: ['channels credentials reveals ac_8kLm3Qz1'],
    }),
  ).action(act(reveals));
  withRotation(
    leaf(credentials, 'rotate-revealed <credential>', {
      summary: 'Rotates the secrets that an agent has read, and ends its own channel tokens',
      examples: ['channels credentials rotate-revealed ac_8kLm3Qz1 --overlap 86400'],
    }),
  ).action(act(rotateRevealed));
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

async function reveals(run: Run, ac: string, options: PageOptions): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'reveals',
    empty: 'The agent has read no secrets.',
    columns: revealColumns,
    read: (query) => client.get('/agent/credentials/{ac}/reveals', { params: { path: { ac }, query } }),
  });
}

async function rotateRevealed(run: Run, ac: string, options: RotateOptions): Promise<void> {
  showRotations(run, await rotate(run, ac, options));
}

async function rotate(run: Run, ac: string, options: RotateOptions): Promise<Rotations> {
  const asked = { params: { path: { ac } }, body: rotationBody(options) };
  return await (await run.client()).post('/agent/credentials/{ac}/rotate-revealed', asked);
}

interface RevokeOptions {
  readonly yes?: boolean;
  readonly rotateRevealed?: boolean;
}

async function revoke(run: Run, ac: string, { yes, rotateRevealed: option }: RevokeOptions): Promise<void> {
  const client = await run.client();
  const read = await readEvery('reveals', (query) =>
    client.get('/agent/credentials/{ac}/reveals', { params: { path: { ac }, query } }),
  );
  const currentCount = noteReveals(run, read);
  await confirm(run.world, `Revoke ${ac} at once?`, { yes });
  await client.delete('/agent/credentials/{ac}', { params: { path: { ac } } });
  const isWanted = currentCount > 0 && (await accepts(run, 'Rotate what it has read?', { option, yes }));
  const rotated = isWanted ? await rotate(run, ac, {}) : undefined;
  if (run.output.isJson) return run.output.json({ credentialId: ac, revoked: true, ...rotated });
  run.output.line(`${ac} is revoked.`);
  if (rotated) showRotations(run, rotated);
  else if (currentCount > 0)
    run.output.note(`What it has read stays valid: channels credentials rotate-revealed ${ac}`);
}
