import { CliError, exitCodes, usageError } from '../terminal/failures.ts';
import { type Credential, type Profile, profileOf, readProfiles } from './profiles.ts';
import type { World } from '../terminal/world.ts';

export interface GlobalOptions {
  readonly json?: boolean;
  readonly jq?: string;
  readonly baseUrl?: string;
  readonly workspace?: string;
  readonly organization?: string;
  readonly profile?: string;
}

export type Source = 'flag' | 'environment' | 'profile' | 'default';
export interface Sourced<Value> {
  readonly value: Value;
  readonly source: Source;
}

/** Flags override the environment, which overrides the profile. */
export interface Settings {
  readonly profileName: string;
  readonly profile: Profile;
  /** The service that receives the credential. A profile's URL applies only to its own credential. */
  readonly baseUrl: Sourced<string>;
  /** The service where the profile signs in and out, regardless of SERVICE_API_KEY. */
  readonly profileUrl: Sourced<string>;
  readonly workspaceId: Sourced<string> | undefined;
  readonly organizationId: Sourced<string> | undefined;
  readonly credential: Sourced<Credential> | undefined;
}

const DEFAULT_BASE_URL = 'http://localhost:3000';

export async function resolveSettings({ env, configFolder }: World, options: GlobalOptions): Promise<Settings> {
  const all = await readProfiles(configFolder);
  const profileName = options.profile ?? (env['CHANNELS_PROFILE'] || all.current);
  const profile = profileOf(all, profileName) ?? {};
  const first = (flag: string | undefined, name: string, stored: string | undefined): Sourced<string> | undefined => {
    const fromEnv = env[name];
    if (flag !== undefined) return { value: flag, source: 'flag' };
    if (fromEnv) return { value: fromEnv, source: 'environment' };
    return stored === undefined ? undefined : { value: stored, source: 'profile' };
  };
  const urlWith = (stored: string | undefined): Sourced<string> => {
    const url = first(options.baseUrl, 'BASE_URL', stored) ?? { value: DEFAULT_BASE_URL, source: 'default' };
    return { ...url, value: originOf(url.value) };
  };
  const credential = credentialOf(env['SERVICE_API_KEY'], profile);
  const profileUrl = urlWith(profile.baseUrl);
  const baseUrl = credential?.source === 'environment' ? urlWith(undefined) : profileUrl;
  // Stored IDs belong to the profile's service.
  const { workspaceId, organizationId } = isElsewhere(profile, baseUrl.value) ? {} : profile;
  return {
    profileName,
    profile,
    baseUrl,
    profileUrl,
    credential,
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

export function usableCredential({ credential, profile, profileName, baseUrl }: Settings): Credential {
  if (credential === undefined) {
    const hint = 'Sign in with `channels login`, or set SERVICE_API_KEY.';
    throw new CliError('You are not signed in.', { exitCode: exitCodes.auth, hint });
  }
  if (credential.source === 'profile' && isElsewhere(profile, baseUrl.value)) {
    throw new CliError(
      `Profile ${profileName} is signed in to ${profile.baseUrl}. Its credential is not sent to ${baseUrl.value}.`,
      { exitCode: exitCodes.auth, hint: 'Sign in with another profile: `channels login --profile <name>`.' },
    );
  }
  return credential.value;
}

export function unusedAddress({ credential, profile, profileName, baseUrl }: Settings): string | null {
  if (credential?.source !== 'environment' || baseUrl.source !== 'default') return null;
  if (!isElsewhere(profile, baseUrl.value)) return null;
  return (
    `SERVICE_API_KEY is sent to ${baseUrl.value}. The URL of profile ${profileName}, ${profile.baseUrl}, applies only to ` +
    "the profile's own credential. Use --base-url or BASE_URL to change the service, or unset SERVICE_API_KEY."
  );
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usageError(
      `Invalid base URL '${text}'.`,
      'Set --base-url or BASE_URL, for example to https://channels.example.com.',
    );
  }
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
}
