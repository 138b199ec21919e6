import { CliError, exitCodes, usageError } from '../terminal/failures.ts';
import { type Credential, type Profile, profileOf, readProfiles } from './profiles.ts';
import type { World } from '../terminal/world.ts';

/** Options of every command. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly baseUrl?: string;
  readonly workspace?: string;
  readonly organization?: string;
  readonly profile?: string;
}

/** Where a value came from, for `whoami` and for errors. */
export type Source = 'flag' | 'environment' | 'profile' | 'default';
export interface Sourced<Value> {
  readonly value: Value;
  readonly source: Source;
}

/** Flags win over the environment, the environment over the profile. */
export interface Settings {
  readonly profileName: string;
  readonly profile: Profile;
  /** Where the credential goes: a profile's address is for the profile's own. */
  readonly baseUrl: Sourced<string>;
  /** Where the profile signs in and out, whatever key the environment has. */
  readonly profileUrl: Sourced<string>;
  readonly workspaceId: Sourced<string> | undefined;
  readonly organizationId: Sourced<string> | undefined;
  readonly credential: Sourced<Credential> | undefined;
}

/** Where `npm start` serves. */
const DEFAULT_BASE_URL = 'http://localhost:3000';

export async function resolveSettings({ env, configFolder }: World, options: GlobalOptions): Promise<Settings> {
  const all = await readProfiles(configFolder);
  const profileName = options.profile ?? (env['CHANNELS_PROFILE'] || all.current);
  const profile = profileOf(all, profileName) ?? {};
  const first = (flag: string | undefined, name: string, stored: string | undefined): Sourced<string> | undefined => {
    const given = env[name];
    if (flag !== undefined) return { value: flag, source: 'flag' };
    if (given) return { value: given, source: 'environment' };
    return stored === undefined ? undefined : { value: stored, source: 'profile' };
  };
  const urlWith = (stored: string | undefined): Sourced<string> => {
    const url = first(options.baseUrl, 'BASE_URL', stored) ?? { value: DEFAULT_BASE_URL, source: 'default' };
    return { ...url, value: originOf(url.value) };
  };
  const credential = credentialOf(env['SERVICE_API_KEY'], profile);
  const profileUrl = urlWith(profile.baseUrl);
  const baseUrl = credential?.source === 'environment' ? urlWith(undefined) : profileUrl;
  // Another service has other workspaces.
  const { workspaceId, organizationId } = isElsewhere(profile, baseUrl.value) ? {} : profile;
  return {
    ...{ profileName, profile, baseUrl, profileUrl, credential },
    workspaceId: first(options.workspace, 'SERVICE_WORKSPACE_ID', workspaceId),
    organizationId: first(options.organization, 'SERVICE_ORGANIZATION_ID', organizationId),
  };
}

function isElsewhere(profile: Profile, baseUrl: string): boolean {
  return profile.baseUrl !== undefined && originOf(profile.baseUrl) !== baseUrl;
}

function credentialOf(apiKey: string | undefined, { credential }: Profile): Sourced<Credential> | undefined {
  if (apiKey) return { value: { kind: 'key', apiKey }, source: 'environment' };
  return credential && { value: credential, source: 'profile' };
}

/** A key is told to nobody but the service that it was made for. */
export function usableCredential({ credential, profile, profileName, baseUrl }: Settings): Credential {
  if (credential === undefined) {
    const hint = 'Sign in with `channels login`, or set SERVICE_API_KEY.';
    throw new CliError('Nobody is signed in.', { exitCode: exitCodes.auth, hint });
  }
  if (credential.source === 'profile' && isElsewhere(profile, baseUrl.value)) {
    throw new CliError(
      `The profile ${profileName} is signed in at ${profile.baseUrl}, and its credential is not sent to ${baseUrl.value}.`,
      { exitCode: exitCodes.auth, hint: 'Sign in there under another name: `channels login --profile <name>`.' },
    );
  }
  return credential.value;
}

/** Said to who may wonder why the profile's address does not count; null where nobody does. */
export function unusedAddress({ credential, profile, profileName, baseUrl }: Settings): string | null {
  if (credential?.source !== 'environment' || baseUrl.source !== 'default') return null;
  if (!isElsewhere(profile, baseUrl.value)) return null;
  return (
    `The key of SERVICE_API_KEY goes to ${baseUrl.value}: the address of the profile ${profileName}, ${profile.baseUrl}, ` +
    "is for the profile's own. Say --base-url, or set BASE_URL, for another; unset SERVICE_API_KEY for the profile."
  );
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usageError(
      `${text} is no base URL.`,
      'It looks like https://channels.example.com: see --base-url and BASE_URL.',
    );
  }
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
}
