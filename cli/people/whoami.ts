import { createClient, type Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { command } from '../commands/definition.ts';
import type { Field } from '../terminal/output.ts';
import { changeProfile } from '../profiles/profiles.ts';
import type { Run } from '../commands/run.ts';
import { usableCredential } from '../profiles/settings.ts';

type Identity = Schema<'CurrentSession'>;

interface Login {
  readonly baseUrl: string;
  readonly credential: string;
}

export async function identityOf({ world }: Run, { baseUrl, credential }: Login): Promise<Identity> {
  const client = createClient({ baseUrl, credential, fetch: world.fetch });
  return await client.get('/auth/session');
}

export function identityFields({ credential, organizations }: Identity): Field[] {
  const kinds = { user: 'user session', api_key: 'API key', agent: 'agent key' };
  return [
    ['Credential', `${kinds[credential.kind]} ${credential.id}`],
    ['Scopes', credential.scopes?.join(', ') ?? 'all'],
    ...organizations.map(
      ({ organizationId, name, role }) => ['Organization', `${organizationId}  ${name} (${role})`] satisfies Field,
    ),
  ];
}

export const whoami = command('whoami', {
  summary: 'Show the signed-in user, service and scopes',
  examples: ['', 'channels whoami --json | jq -r .user.id'],
  async run(run) {
    const { settings, output } = run;
    const identity = await (await run.client()).get('/auth/session');
    const { baseUrl, profileName, workspaceId, credential } = settings;
    output.record(
      { ...identity, baseUrl: baseUrl.value, profile: profileName, workspaceId: workspaceId?.value ?? null },
      [
        ['User', identity.user.email ?? identity.user.id],
        ['Service', `${baseUrl.value} (${baseUrl.source})`],
        ['Profile', credential?.source === 'profile' ? profileName : 'none; SERVICE_API_KEY is used'],
        ...identityFields(identity),
        ['Workspace', workspaceId ? `${workspaceId.value} (${workspaceId.source})` : 'not set'],
      ],
    );
  },
});

export const logout = command('logout', {
  summary: 'Revoke the credential of the profile and delete it locally',
  examples: ['', '--keep   # delete it locally only'],
  flags: { keep: ['--keep', 'delete the credential locally but keep it valid at the service'] },
  async run(run, _, { keep = false }) {
    const { settings, world, output } = run;
    const { profileName, profile } = settings;
    if (profile.credential === undefined)
      return output.done({ profile: profileName, ended: false }, 'You were not signed in.');
    const forget = () => changeProfile(world.configFolder, profileName, ({ credential: _ended, ...others }) => others);
    // Delete it locally even if the service is unreachable.
    const ended = keep ? false : await revokeCredential(run).finally(forget);
    if (keep) await forget();
    output.done(
      { profile: profileName, ended },
      ended
        ? 'Signed out. The credential is revoked.'
        : 'Signed out locally. The credential stays valid until it is revoked.',
    );
  },
});

/** An organization's API key stays valid. */
async function revokeCredential(run: Run): Promise<boolean> {
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
    if (error instanceof ApiError && error.statusCode === 401) return true;
    run.output.warn(`Could not revoke the credential of profile ${profileName}. It is deleted locally only.`);
    throw error;
  }
}
