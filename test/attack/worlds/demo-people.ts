import { randomBytes } from 'node:crypto';
import { scopes } from '../../../contract/identity/scopes.ts';
import type { Caller } from '../../harness/access/access-expectation.ts';
import type { Credential, Headers } from '../../harness/access/credentials.ts';
import { call } from '../cases/http-call.ts';
import { objectIn } from '../cases/response-problems.ts';
import { mailedCode } from '../classes/sign-in.ts';
import type { AttackedTenant, DemoSettings, HeldSession, World } from '../cases/world.ts';

export interface DemoPeople {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly own: AttackedTenant;
  readonly settings: DemoSettings;
}

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const admin = { organizationRole: 'admin', workspaceRole: null } as const;
const nobody = { organizationRole: null, workspaceRole: null } as const;
const ATTACKER = 'admin@other.example';

export async function peopleOf(people: DemoPeople): Promise<Pick<World, 'credentials' | 'session'>> {
  const { apiKey, settings } = people;
  const { MAIL_INBOX_URL: mailInboxUrl, STAFF_API_KEY: staffKey } = settings;
  const credentials: Credential[] = [
    ...wrongCredentials(),
    { name: 'a full key', headersFor: () => bearer(apiKey), as: () => ({ kind: 'api_key', scopes: null, ...admin }) },
  ];
  if (staffKey) {
    const as = (): Caller => ({ kind: 'staff', scopes: null, ...nobody });
    credentials.push({ name: 'a key of staff', headersFor: () => bearer(staffKey), as });
  }
  if (!mailInboxUrl) return { credentials };
  const session = await signedIn(people, ATTACKER);
  const outsider = await signedIn(people, anAddress());
  return {
    credentials: [
      ...credentials,
      ...sessionCredentials('an organization admin', session, admin),
      ...sessionCredentials('an outsider', outsider, nobody),
      ...(await endedCredentials(people)),
      ...(await agents(people)),
    ],
    session,
  };
}

const anAddress = (): string => `attack-${randomBytes(6).toString('hex')}@example.com`;

function wrongCredentials(): Credential[] {
  const wrong: Readonly<Record<string, Headers>> = {
    'no credential': {},
    'a malformed header': { authorization: 'hmok_' },
    'another scheme': { authorization: 'Basic dXNlcjpwYXNzd29yZA==' },
    'an unknown key': bearer(`hmok_${'x'.repeat(43)}`),
    'a malformed JWT': bearer('eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMDAwMDAwMDAifQ.'),
    'an unknown session': { cookie: `service_session=${'x'.repeat(43)}`, 'sec-fetch-site': 'same-origin' },
  };
  const refused = Object.entries(wrong).map(([name, headers]): Credential => ({
    name,
    headersFor: () => headers,
    as: 'AUTH_REQUIRED',
  }));
  return [
    ...refused,
    { name: 'a channel token', headersFor: () => bearer('hmat_x'), as: 'CREDENTIAL_NOT_ACCEPTED_HERE' },
  ];
}

function sessionCredentials(
  who: string,
  { cookie, accessToken }: HeldSession,
  roles: Pick<Caller, 'organizationRole' | 'workspaceRole'>,
) {
  const as = (): Caller => ({ kind: 'user', scopes: null, ...roles });
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  return [
    { name: `the cookie of ${who}`, headersFor: () => headers, as },
    { name: `the access token of ${who}`, headersFor: () => bearer(accessToken), as },
  ];
}

async function signedIn({ baseUrl, settings }: DemoPeople, email: string): Promise<HeldSession> {
  const at = { baseUrl, mailInboxUrl: settings['MAIL_INBOX_URL'] ?? '' };
  const code = await mailedCode(at, { route: 'POST /auth/sign-in', body: { email } });
  const { headers, text } = await call(baseUrl, 'POST /auth/sign-in/complete', { body: code });
  const body = objectIn(text);
  if (typeof body?.['accessToken'] !== 'string') throw new Error(`${email} was not signed in: ${text}`);
  const cookies = (headers['set-cookie'] ?? []).map((one) => one.slice(0, one.indexOf(';')));
  const cookie = cookies.find((one) => /session=/.test(one)) ?? '';
  return { accessToken: body['accessToken'], refreshToken: String(body['refreshToken']), cookie };
}

async function endedCredentials(people: DemoPeople): Promise<Credential[]> {
  const { baseUrl, own } = people;
  const { accessToken, cookie } = await signedIn(people, ATTACKER);
  const headers = bearer(accessToken);
  const made = objectIn(
    (await call(baseUrl, `POST /organizations/${own.organizationId}/keys`, { headers, body: { name: 'attack' } })).text,
  );
  await call(baseUrl, `DELETE /organizations/${own.organizationId}/keys/${String(made?.['keyId'])}`, { headers });
  await call(baseUrl, 'POST /auth/sign-out', { headers: { ...headers, cookie } });
  const ended: Readonly<Record<string, Headers>> = {
    'a revoked key': bearer(String(made?.['apiKey'])),
    'the access token of an ended session': headers,
    'the cookie of an ended session': { cookie, 'sec-fetch-site': 'same-origin' },
  };
  return Object.entries(ended).map(([name, one]) => ({ name, headersFor: () => one, as: 'AUTH_REQUIRED' }));
}

async function agents({ baseUrl, own, settings }: DemoPeople): Promise<Credential[]> {
  const made: Credential[] = [];
  for (const scope of scopes) {
    const body = { email: ATTACKER, scopes: [scope], organizationId: own.organizationId };
    const at = { baseUrl, mailInboxUrl: settings['MAIL_INBOX_URL'] ?? '' };
    // The rate limit of codes may reduce the number of agents.
    const code = await mailedCode(at, { route: 'POST /agent/auth/claim', body }).catch(() => undefined);
    if (code === undefined) continue;
    const completed = await call(baseUrl, 'POST /agent/auth/claim/complete', { body: code });
    const token = objectIn(completed.text)?.['accessToken'];
    if (typeof token !== 'string') continue;
    const as = (): Caller => ({ kind: 'agent', scopes: [scope], ...admin });
    made.push({ name: `an agent with ${scope} alone`, headersFor: () => bearer(token), as });
  }
  return made;
}

export async function organizationsOf(
  baseUrl: string,
  headers: Headers,
): Promise<readonly { readonly organizationId: string }[]> {
  const body = objectIn((await call(baseUrl, 'GET /auth/session', { headers })).text);
  return (body?.['organizations'] ?? []) as readonly { organizationId: string }[];
}
