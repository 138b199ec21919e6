import { join } from 'node:path';
import type { ApiClient, Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { withFileLock } from './file-lock.ts';
import { changeProfile, profileOf, readProfiles, type SessionCredential } from './profiles.ts';
import type { World } from '../terminal/world.ts';

interface SessionPlace {
  readonly world: World;
  readonly profileName: string;
  /** With no credential, and giving up after so long; Ctrl-C must not end it, or the token that comes would be lost. */
  readonly uninterrupted: (timeoutMs: number) => ApiClient;
}

/** A token that ends while its request is under way is refused, so one about to end is renewed first. */
const MARGIN_MS = 30_000;
/** Other commands wait for it. */
const REFRESH_TIMEOUT_MS = 20_000;

export function sessionOf(tokens: Schema<'RefreshedSession'>, nowMs: number): SessionCredential {
  const { accessToken, refreshToken, expiresIn } = tokens;
  return { kind: 'session', accessToken, refreshToken, expiresAtMs: nowMs + expiresIn * 1000 };
}

/**
 * The access token of the session, renewed where it is about to end. A refresh token is good once and ends the session
 * when it is shown again, so that two commands at the same time must not both use it.
 */
export async function freshSession(place: SessionPlace, session: SessionCredential): Promise<string> {
  const { world, profileName, uninterrupted } = place;
  const isFresh = ({ expiresAtMs }: SessionCredential): boolean => expiresAtMs - MARGIN_MS > world.now();
  if (isFresh(session)) return session.accessToken;
  return await withFileLock(join(world.configFolder, 'session.lock'), async () => {
    const stored = profileOf(await readProfiles(world.configFolder), profileName)?.credential;
    const latest = stored?.kind === 'session' ? stored : session;
    if (isFresh(latest)) return latest.accessToken;
    const renewed = sessionOf(await refreshed(uninterrupted(REFRESH_TIMEOUT_MS), latest.refreshToken), world.now());
    await changeProfile(world.configFolder, profileName, (profile) => ({ ...profile, credential: renewed }));
    return renewed.accessToken;
  });
}

async function refreshed(anonymous: ApiClient, refreshToken: string): Promise<Schema<'RefreshedSession'>> {
  try {
    return await anonymous.post('/auth/refresh', { body: { refreshToken } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode !== 401) throw error;
    throw new CliError('The session has ended.', {
      exitCode: exitCodes.auth,
      hint: 'Sign in again: `channels login --session`.',
    });
  }
}
