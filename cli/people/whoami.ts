import type { Command } from 'commander';
import { createClient, type Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { leaf } from '../commands/arguments.ts';
import type { Field } from '../terminal/output.ts';
import { changeProfile } from '../profiles/profiles.ts';
import type { Act, Run } from '../commands/run.ts';
import { usableCredential } from '../profiles/settings.ts';

type Identity = Schema<'CurrentSession'>;

export function addIdentity(program: Command, act: Act): void {
  leaf(program, 'whoami', {
    summary: 'Says who is signed in, where, and what the credential may do',
    examples: ['channels whoami', 'channels whoami --json | jq -r .user.email'],
  }).action(act(whoami));
  leaf(program, 'logout', {
    summary: 'Ends the credential of the profile at the service, and forgets it',
    examples: ['channels logout', 'channels logout --keep   # forgets it here only'],
  })
    .option('--keep', 'forget it here, and leave it as it is at the service')
    .action(act(logout));
}

/** What the profile's service says of a credential. */
export async function identityOf({ world, settings }: Run, credential: string): Promise<Identity> {
  const client = createClient({ baseUrl: settings.profileUrl.value, credential, fetch: world.fetch });
  return await client.get('/auth/session');
}

export function identityFields({ credential, organizations }: Identity): Field[] {
  const kinds = { user: 'session of a person', api_key: 'API key', agent: "agent's key" };
  return [
    ['Credential', `${kinds[credential.kind]} ${credential.id}`],
    ['Scopes', credential.scopes?.join(', ') ?? 'everything'],
    ...organizations.map(
      ({ organizationId, name, role }) => ['Organization', `${organizationId}  ${name} (${role})`] satisfies Field,
    ),
  ];
}

async function whoami(run: Run): Promise<void> {
  const { settings, output } = run;
  const identity = await (await run.client()).get('/auth/session');
  const { baseUrl, profileName, workspaceId, credential } = settings;
  output.record(
    { ...identity, baseUrl: baseUrl.value, profile: profileName, workspaceId: workspaceId?.value ?? null },
    [
      ['Person', identity.user.email],
      ['Service', `${baseUrl.value} (${baseUrl.source})`],
      ['Profile', credential?.source === 'profile' ? profileName : 'none: the key is from the environment'],
      ...identityFields(identity),
      ['Workspace', workspaceId ? `${workspaceId.value} (${workspaceId.source})` : 'not chosen'],
    ],
  );
}

async function logout(run: Run, { keep = false }: { keep?: boolean }): Promise<void> {
  const { settings, world, output } = run;
  const { profileName, profile } = settings;
  if (profile.credential === undefined)
    return output.done({ profile: profileName, ended: false }, 'Nobody was signed in.');
  const forget = () => changeProfile(world.configFolder, profileName, ({ credential: _, ...others }) => others);
  // Forgotten also where the service can't be asked: it is what was wanted here.
  const ended = keep ? false : await end(run).finally(forget);
  if (keep) await forget();
  output.done(
    { profile: profileName, ended },
    ended
      ? 'Signed out; the credential has ended.'
      : 'Signed out here; the credential itself goes on until it is revoked.',
  );
}

/** Whether the credential has ended: an organization's own API key is not ended by whoever used it. */
async function end(run: Run): Promise<boolean> {
  const { profile, profileName, profileUrl: baseUrl } = run.settings;
  const stored = {
    ...run.settings,
    baseUrl,
    credential: profile.credential && ({ value: profile.credential, source: 'profile' } as const),
  };
  const credential = usableCredential(stored);
  const bearer = credential.kind === 'key' ? credential.apiKey : credential.accessToken;
  const client = createClient({ baseUrl: baseUrl.value, credential: bearer, fetch: run.world.fetch });
  try {
    if (credential.kind === 'session') return await client.post('/auth/sign-out').then(() => true);
    const { credential: identity } = await client.get('/auth/session');
    if (identity.kind !== 'agent') return false;
    await client.delete('/agent/credentials/{ac}', { params: { path: { ac: identity.id } } });
    return true;
  } catch (error) {
    // It had ended before.
    if (error instanceof ApiError && error.statusCode === 401) return true;
    run.output.warn(`${profileName}: the credential could not be ended at the service, and is forgotten here.`);
    throw error;
  }
}
