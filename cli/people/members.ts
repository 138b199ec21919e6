import type { Schema } from '../../client/create-client.ts';
import { command, group } from '../commands/definition.ts';
import { localText, pages, words, yes } from '../commands/flags.ts';
import { route } from '../commands/route.ts';
import type { Run } from '../commands/run.ts';
import { acceptsOffer, noteReveals, readEvery, revealColumns, rotation, showRotations } from '../reveals/offers.ts';
import { usageError } from '../terminal/failures.ts';
import { confirm } from '../terminal/prompt.ts';

type Member = Schema<'Member'> | Schema<'WorkspaceMember'>;

const of = ['--of <workspace>', 'workspace whose members to manage (default: the organization)', localText] as const;

/** The path of a member of the organization. */
async function at(run: Run, usr: string) {
  return { org: await run.organizationId(), usr };
}

async function setRole(
  run: Run,
  { usr, role, ws }: { usr: string; role: string; ws: string | undefined },
): Promise<Member> {
  const client = await run.client();
  const body = { role: role as Member['role'] };
  if (ws !== undefined)
    return await client.put('/workspaces/{ws}/members/{usr}', { params: { path: { ws, usr } }, body });
  if (body.role === 'developer')
    throw usageError(
      'The developer role exists only in workspaces.',
      'Name the workspace, for example --of ws_8kLm3Qz1.',
    );
  const params = { path: await at(run, usr) };
  return await client.patch('/organizations/{org}/members/{usr}', { params, body: { role: body.role } });
}

const remove = command('remove <person>', {
  summary: 'Remove a member; from the organization, also revokes their agents and lists the secrets they know',
  examples: ['usr_8kLm3Qz1', 'usr_8kLm3Qz1 --yes --revoke-keys --rotate-revealed'],
  flags: {
    of,
    ...yes,
    revokeKeys: ['--revoke-keys', 'afterwards, revoke the API keys that they created; requires a session'],
    rotateRevealed: [
      '--rotate-revealed',
      'afterwards, rotate the secrets revealed to them, with an overlap of one hour',
    ],
  },
  async run(run, [usr], { of: ws, yes: isConfirmed, revokeKeys, rotateRevealed }) {
    const { output } = run;
    const client = await run.client();
    if (ws !== undefined) {
      await confirm(run.world, `Remove ${usr} from ${ws}?`, { yes: isConfirmed });
      await client.delete('/workspaces/{ws}/members/{usr}', { params: { path: { ws, usr } } });
      return output.done({ userId: usr, removed: true }, `Removed ${usr} from ${ws}.`);
    }
    const params = { path: await at(run, usr) };
    const accepts = (question: string, option: boolean | undefined) =>
      acceptsOffer(run, question, { option, yes: isConfirmed });
    const { made, currentCount } = await noteKnownSecrets(run, usr);
    await confirm(run.world, `Remove ${usr} from the organization?`, { yes: isConfirmed });
    await client.delete('/organizations/{org}/members/{usr}', { params });
    output.note(`Removed ${usr} from the organization.`);
    const revokes = made.length > 0 && (await accepts(`Revoke the ${made.length} keys that they created?`, revokeKeys));
    const rotates = currentCount > 0 && (await accepts('Rotate the secrets revealed to them?', rotateRevealed));
    const revoked = revokes
      ? await client.post('/organizations/{org}/members/{usr}/revoke-keys', { params, body: {} })
      : undefined;
    const rotated = rotates
      ? await client.post('/organizations/{org}/members/{usr}/rotate-revealed', { params, body: {} })
      : undefined;
    if (output.isJson) return output.json({ userId: usr, removed: true, ...revoked, ...rotated });
    if (revoked) output.line(`Revoked ${revoked.revokedKeyIds.length} keys.`);
    else if (made.length > 0)
      output.note(`Keys that they created stay valid. To revoke them: channels members revoke-keys ${usr}`);
    if (rotated) showRotations(run, rotated);
    else if (currentCount > 0)
      output.note(`Secrets revealed to them stay valid. To rotate them: channels members rotate-revealed ${usr}`);
  },
});

async function noteKnownSecrets(run: Run, usr: string) {
  const client = await run.client();
  const path = await at(run, usr);
  const reveals = await readEvery('reveals', (query) =>
    client.get('/organizations/{org}/members/{usr}/reveals', { params: { path, query } }),
  );
  const keys = await readEvery('keys', (query) =>
    client.get('/organizations/{org}/members/{usr}/keys', { params: { path, query } }),
  );
  const currentCount = noteReveals(run, reveals);
  for (const { keyId, name, relation } of keys ?? []) {
    run.output.note(`${relation === 'made' ? 'Created' : 'Revealed'}: ${keyId} (${name})`);
  }
  // The removal revokes the keys of their agents.
  return { currentCount, made: (keys ?? []).filter(({ relation, scopes }) => relation === 'made' && scopes === null) };
}

export const members = group('members', 'Manage members of the organization and its workspaces', [
  route('list', 'GET /organizations/{org}/members', {
    summary: 'List members',
    examples: ['', '--of ws_8kLm3Qz1'],
    flags: { ...pages, of },
    empty: 'No members found. Organization admins have access to every workspace.',
    columns: { USER: 'userId', EMAIL: 'email', ROLE: 'role', 'JOINED (UTC)': 'createdAt' },
  }),
  command('set <person> <role>', {
    summary: 'Change the role of a member, or add a member to a workspace',
    examples: ['usr_8kLm3Qz1 admin', 'usr_8kLm3Qz1 member --of ws_8kLm3Qz1'],
    operands: { role: { text: 'new role', choices: ['admin', 'developer', 'member'] } },
    flags: { of },
    async run(run, [usr, role], { of: ws }) {
      const member = await setRole(run, { usr, role, ws });
      run.output.done(member, `${member.email ?? usr} is now ${member.role} of ${ws ?? 'the organization'}.`);
    },
  }),
  remove,
  route('reveals <person>', 'GET /organizations/{org}/members/{usr}/reveals', {
    summary: 'List secrets revealed to a member, their keys and their agents',
    flags: pages,
    empty: 'No secrets were revealed to this member.',
    columns: revealColumns,
  }),
  route('keys <person>', 'GET /organizations/{org}/members/{usr}/keys', {
    summary: 'List valid API keys that a member created or revealed',
    flags: pages,
    empty: 'This member knows no valid keys.',
    columns: {
      KEY: 'keyId',
      NAME: 'name',
      RELATION: 'relation',
      AGENT: 'agentCredentialId',
      'LAST USED (UTC)': 'lastUsedAt',
    },
  }),
  route('rotate-revealed <person>', 'POST /organizations/{org}/members/{usr}/rotate-revealed', {
    summary: 'Rotate secrets revealed to a member, their keys and their agents',
    examples: 'usr_8kLm3Qz1 --overlap 86400',
    flags: rotation,
    show: showRotations,
  }),
  route('revoke-keys <person>', 'POST /organizations/{org}/members/{usr}/revoke-keys', {
    summary: 'Revoke API keys that a member created; requires a session',
    examples: 'usr_8kLm3Qz1 --keys key_8kLm3Qz1',
    flags: { keyIds: ['--keys <ids>', 'IDs of the keys to revoke, comma-separated (default: all)', words], ...yes },
    confirm: ([usr], { keyIds }) => `Revoke ${keyIds?.join(', ') ?? `all keys that ${usr} created`}?`,
    done: ({ revokedKeyIds }) => `Revoked ${revokedKeyIds.length} keys.`,
  }),
]);
