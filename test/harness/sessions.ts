import type { Knex } from 'knex';
import { startSession } from '../../api/access/session-start.ts';
import { SESSION_COOKIE } from '../../contract/sessions.ts';
import { readInstallation } from '../../db/installation.ts';
import type { User } from '../../db/users.ts';
import { baseUrl } from './api.ts';

export interface TestSession {
  /** Headers of a browser on a page of ours. */
  readonly headers: { readonly cookie: string; readonly 'sec-fetch-site': string };
  readonly cookie: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Somebody who is signed in. */
export async function aSession(db: Knex, user: User): Promise<TestSession> {
  const { tokenSalt } = await readInstallation(db);
  const { cookieToken, tokens } = await startSession(db, { tokenSalt, baseUrl }, { user, userAgent: 'test' });
  const cookie = `${SESSION_COOKIE}=${cookieToken}`;
  return { headers: { cookie, 'sec-fetch-site': 'same-origin' }, cookie, ...tokens };
}
