import type { Knex } from 'knex';
import { startSession } from '../../../api/people/start-session.ts';
import { type Deployment, sessionCookieName } from '../../../openapi/people/cookies.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import type { User } from '../../../db/people/users.ts';
import { baseUrl } from '../api/api.ts';
import { testSigningRing } from '../tenants.ts';

export interface TestSession {
  readonly headers: { readonly cookie: string; readonly 'sec-fetch-site': string };
  readonly cookie: string;
  readonly keptCookie: { readonly name: string; readonly value: string };
  readonly accessToken: string;
  readonly refreshToken: string;
}

export async function aSession(db: Knex, user: User, deployment: Deployment = 'production'): Promise<TestSession> {
  const { tokenSalt } = await readInstallation(db);
  const issuer = { tokenSalt, signingRing: testSigningRing, baseUrl };
  const { cookieToken: value, tokens } = await startSession(db, issuer, { user, userAgent: 'test' });
  const name = sessionCookieName(deployment);
  const cookie = `${name}=${value}`;
  return { headers: { cookie, 'sec-fetch-site': 'same-origin' }, cookie, keptCookie: { name, value }, ...tokens };
}
