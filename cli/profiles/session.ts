import { join } from 'node:path';
import type { ApiClient, Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { withFileLock } from './file-lock.ts';
import { changeProfile, profileOf, readProfiles, type SessionCredential } from './profiles.ts';
import type { World } from '../terminal/world.ts';

interface SessionContext {
  readonly world: World;
  readonly profileName: string;
  /** Client without credential and with a timeout. Ctrl-C must not abort it, or the new token would be lost. */
  readonly uninterrupted: (timeoutMs: number) => ApiClient;
}

/** Renews early, because a token may expire while its request is in flight. */
const MARGIN_MS = 30_000;
/** Other commands wait for the lock during the refresh. */
const REFRESH_TIMEOUT_MS = 20_000;

export function sessionOf(tokens: Schema<'RefreshedSession'>, nowMs: number): SessionCredential {
  const { accessToken, refreshToken, expiresIn } = tokens;
  return { kind: 'session', accessToken, refreshToken, expiresAtMs: nowMs + expiresIn * 1000 };
}

/**
 * Renews the access token if needed. A refresh token works once, and reusing it ends the session, so two commands must
 * not refresh at the same time.
 */
export async function freshSession(context: SessionContext, session: SessionCredential): Promise<string> {
  const { world, profileName, uninterrupted } = context;
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
    throw new CliError('Your session has expired.', {
      exitCode: exitCodes.auth,
      hint: 'Sign in again with `channels login --session`.',
    });
  }
}
