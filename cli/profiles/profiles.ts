import { join } from 'node:path';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { isJsonObject } from '../../contract/is-json-object.ts';
import { changeJsonFile, readTextIfExists } from './files.ts';

export interface KeyCredential {
  readonly kind: 'key';
  readonly apiKey: string;
}

export interface SessionCredential {
  readonly kind: 'session';
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAtMs: number;
}

export type Credential = KeyCredential | SessionCredential;

/** A login that waits for its code. */
export interface PendingLogin {
  readonly baseUrl: string;
  readonly registrationId: string;
  readonly isSession: boolean;
}

export interface Profile {
  readonly baseUrl?: string | undefined;
  readonly workspaceId?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly credential?: Credential | undefined;
  readonly pendingLogin?: PendingLogin | undefined;
}

export interface Profiles {
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const DEFAULT_PROFILE = 'default';
const noProfiles: Profiles = { current: DEFAULT_PROFILE, profiles: {} };

function profilesPath(configFolder: string): string {
  return join(configFolder, 'config.json');
}

export async function readProfiles(configFolder: string): Promise<Profiles> {
  const path = profilesPath(configFolder);
  const text = await readTextIfExists(path);
  if (text === undefined) return noProfiles;
  const value = parse(text);
  if (!isProfiles(value)) {
    const hint = 'Fix it, or delete it and sign in again with `channels login`.';
    throw new CliError(`Cannot read ${path}: not a valid profiles file.`, { exitCode: exitCodes.failure, hint });
  }
  return value;
}

export async function changeProfiles(configFolder: string, change: (profiles: Profiles) => Profiles): Promise<void> {
  await changeJsonFile(profilesPath(configFolder), async () => change(await readProfiles(configFolder)));
}

/** Own properties only, because a profile may be called `constructor`. */
export function profileOf({ profiles }: Profiles, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

export async function changeProfile(
  configFolder: string,
  name: string,
  change: (profile: Profile) => Profile | undefined,
): Promise<void> {
  await changeProfiles(configFolder, (all) => {
    const { [name]: _, ...others } = all.profiles;
    const changed = change(profileOf(all, name) ?? {});
    return { current: all.current, profiles: changed === undefined ? others : { ...others, [name]: changed } };
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProfiles(value: unknown): value is Profiles {
  if (!isJsonObject(value) || typeof value['current'] !== 'string' || !isJsonObject(value['profiles'])) return false;
  return Object.values(value['profiles']).every(isProfile);
}

function isProfile(value: unknown): value is Profile {
  if (!isJsonObject(value)) return false;
  const texts = [value['baseUrl'], value['workspaceId'], value['organizationId']];
  if (!texts.every((text) => text === undefined || typeof text === 'string')) return false;
  const { credential, pendingLogin } = value;
  if (pendingLogin !== undefined && !isPendingLogin(pendingLogin)) return false;
  if (credential === undefined) return true;
  if (!isJsonObject(credential)) return false;
  if (credential['kind'] === 'key') return typeof credential['apiKey'] === 'string';
  const { kind, accessToken, refreshToken, expiresAtMs } = credential;
  return (
    kind === 'session' &&
    [accessToken, refreshToken].every((one) => typeof one === 'string') &&
    typeof expiresAtMs === 'number'
  );
}

function isPendingLogin(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { baseUrl, registrationId, isSession } = value;
  return typeof baseUrl === 'string' && typeof registrationId === 'string' && typeof isSession === 'boolean';
}
