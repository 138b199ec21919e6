import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { addGroup, addCommand } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { timeCell } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';
import {
  acceptsOffer,
  noteReveals,
  readEvery,
  revealColumns,
  rotationBody,
  type RotateOptions,
  type Rotations,
  showRotations,
  withRotation,
} from '../reveals/reveals.ts';
import type { Act, Run } from '../commands/run.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { cancelEvery } from '../../client/cancel-every.ts';
import { CANCEL_QUESTION, noteScheduled, showScheduledEnd } from '../scheduled/by-key.ts';

export function addCredentials(program: Command, act: Act): void {
  const credentials = addGroup(program, 'credentials', 'Manage agent credentials');
  withPages(
    addCommand(credentials, 'list', {
      summary: 'List agent credentials, newest first',
      examples: ['channels credentials list'],
    }),
  ).action(act(list));
  withPages(
    addCommand(credentials, 'eligible-scopes', {
      summary: 'List the scopes that you can grant to an agent, by organization',
      examples: ['channels credentials eligible-scopes'],
    }),
  ).action(act(eligibleScopes));
  addCommand(credentials, 'revoke <credential>', {
    summary:
      'Revoke an agent credential and list the secrets revealed to it and what it has scheduled; agents can revoke only their own',
    examples: [
      'channels credentials revoke ac_8kLm3Qz1',
      'channels credentials revoke ac_8kLm3Qz1 --yes --rotate-revealed --cancel-scheduled',
    ],
  })
    .option('--yes', 'skip the confirmation')
    .option('--rotate-revealed', 'afterwards, rotate the revealed secrets, with an overlap of one hour')
    .option('--cancel-scheduled', 'afterwards, cancel the messages and posts that the agent has scheduled')
    .action(act(revoke));
  withPages(
    addCommand(credentials, 'reveals <credential>', {
      summary: 'List secrets revealed to an agent, also after its credential was revoked',
      examples: ['channels credentials reveals ac_8kLm3Qz1'],
    }),
  ).action(act(reveals));
  withRotation(
    addCommand(credentials, 'rotate-revealed <credential>', {
      summary: "Rotate secrets revealed to an agent and revoke the agent's channel tokens",
      examples: ['channels credentials rotate-revealed ac_8kLm3Qz1 --overlap 86400'],
    }),
  ).action(act(rotateRevealed));
}

async function list(run: Run, options: PageOptions): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'credentials',
    empty: 'No agent credentials found.',
    columns: [
      { title: 'CREDENTIAL', of: ({ credentialId }: Schema<'AgentCredential'>) => credentialId },
      { title: 'USER', of: ({ email }) => email ?? '' },
      { title: 'ORGANIZATION', of: ({ organizationPublicId }) => organizationPublicId },
      { title: 'LAST USED (UTC)', of: ({ lastUsedAt }) => timeCell(lastUsedAt) },
      { title: 'SCOPES', of: ({ scopes }) => scopes.join(', ') },
    ],
    read: (query) => client.get('/agent/credentials', { params: { query } }),
  });
}

async function eligibleScopes(run: Run, options: PageOptions): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'organizations',
    empty: 'No organizations found.',
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
    empty: 'No secrets were revealed to this agent.',
    columns: revealColumns,
    read: (query) => client.get('/agent/credentials/{ac}/reveals', { params: { path: { ac }, query } }),
  });
}

async function rotateRevealed(run: Run, ac: string, options: RotateOptions): Promise<void> {
  showRotations(run, await rotate(run, ac, options));
}

async function rotate(run: Run, ac: string, options: RotateOptions): Promise<Rotations> {
  const request = { params: { path: { ac } }, body: rotationBody(options) };
  return await (await run.client()).post('/agent/credentials/{ac}/rotate-revealed', request);
}

interface RevokeOptions {
  readonly yes?: boolean;
  readonly rotateRevealed?: boolean;
  readonly cancelScheduled?: boolean;
}

async function revoke(run: Run, ac: string, options: RevokeOptions): Promise<void> {
  const { yes, rotateRevealed, cancelScheduled } = options;
  const client = await run.client();
  const params = { path: { ac } };
  const read = await readEvery('reveals', (query) =>
    client.get('/agent/credentials/{ac}/reveals', { params: { path: { ac }, query } }),
  );
  const currentCount = noteReveals(run, read);
  const count = await noteScheduled(run, () => client.get('/agent/credentials/{ac}/scheduled', { params }));
  await confirm(run.world, `Revoke ${ac} immediately?`, { yes });
  await client.delete('/agent/credentials/{ac}', { params });
  const cancels = count > 0 && (await acceptsOffer(run, CANCEL_QUESTION, { option: cancelScheduled, yes }));
  const cancel = () => client.post('/agent/credentials/{ac}/cancel-scheduled', { params });
  const cancellations = cancels ? await cancelEvery(cancel) : undefined;
  const rotates =
    currentCount > 0 && (await acceptsOffer(run, 'Rotate the revealed secrets?', { option: rotateRevealed, yes }));
  const rotated = rotates ? await rotate(run, ac, {}) : undefined;
  if (run.output.isJson)
    return run.output.json({ credentialId: ac, revoked: true, ...rotated, ...omitUndefined({ cancellations }) });
  run.output.line(`Revoked ${ac}.`);
  showScheduledEnd(run, { count, cancellations });
  if (rotated) showRotations(run, rotated);
  else if (currentCount > 0)
    run.output.note(`Revealed secrets stay valid. To rotate them: channels credentials rotate-revealed ${ac}`);
}
