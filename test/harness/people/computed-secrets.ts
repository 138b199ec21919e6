import { createHmac } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import { commands } from '../../../admin/commands.ts';
import type { Deployment } from '../../../openapi/people/cookies.ts';
import { testApi, type TestApi } from '../api/api.ts';
import { Visitor } from '../onboarding/connect.ts';
import { codesByMail } from './email-codes.ts';
import { adminDeps } from '../admin-deps.ts';
import { aTenant } from '../tenants.ts';

export const EMAIL = 'ann@example.com';

/** A secret that anyone with the key can compute from known values. */
export interface ComputedSecret {
  readonly name: string;
  readonly isMadeWith: (key: Uint8Array) => boolean;
}

export interface SignedIn {
  readonly api: TestApi;
  readonly cookie: string;
  readonly accessToken: string;
  readonly linkPath: string;
  readonly secrets: readonly ComputedSecret[];
}

const mac = (key: Uint8Array, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

export async function signedIn(t: ExecutionContext): Promise<SignedIn> {
  const codes = await codesByMail(t);
  const api = await testApi(t, { starts: codes.temporal });
  const ask = async () => (await api.call('POST /auth/sign-in', { body: { email: EMAIL } })).body.registrationId;
  const registrationId = await ask();
  const started = await api.call('POST /auth/sign-in/complete', {
    body: { registrationId, otp: codes.codeFor(EMAIL) },
  });
  const [cookie = '', mark = ''] = started.headers.getSetCookie().map((text) => text.slice(0, text.indexOf(';')));
  const open = await ask();
  const { accessToken, refreshToken } = started.body;
  const { linkPath, proof, browser } = await openPage(api);
  const secrets = [
    ...sessionSecrets({ accessToken, refreshToken, mark }),
    ...(await codeSecrets(api, { registrationId: open, code: codes.codeFor(EMAIL) })),
    made('form proof', `onboarding-form/${browser}`, proof),
    made('demo staff key', 'demo-staff-key/demo', (await seedDemo(api)).slice('hmok_'.length)),
  ];
  return { api, cookie, accessToken, linkPath, secrets };
}

const made = (name: string, text: string, secret: string): ComputedSecret => ({
  name,
  isMadeWith: (key) => mac(key, text) === secret,
});

function sessionSecrets({ accessToken, refreshToken, mark }: Record<'accessToken' | 'refreshToken' | 'mark', string>) {
  const [head = '', payload = '', signature = ''] = accessToken.split('.');
  const [sid = '', random = '', tag = ''] = refreshToken.split('.');
  const [madeAt = '', markRandom = '', markTag = ''] = mark.slice(mark.indexOf('=') + 1).split('.');
  return [
    made('access token', `${head}.${payload}`, signature),
    made('refresh token', `refresh-tag/${sid}.${random}`, tag),
    made('known-browser mark', `known-browser-tag/${madeAt}.${markRandom}/${EMAIL}`, markTag),
  ];
}

/** A key that reproduces the stored hash of a code reveals the code: trying a million codes takes seconds. */
async function codeSecrets({ db }: TestApi, { registrationId, code }: { registrationId: string; code: string }) {
  const row = await db('email_registrations').where({ public_id: registrationId }).first();
  return [
    made('mail code', `email-code/${row.id}/${code}`, row.code_hash.toString('base64url')),
    made('client address', 'client-address/127.0.0.1', row.client_hash.toString('base64url')),
  ];
}

async function openPage({ db, url, call }: TestApi) {
  const tenant = await aTenant(db);
  const route = `POST /organizations/${tenant.organization.publicId}/onboarding-links`;
  const link = await call(route, { key: tenant.apiKey, body: { label: 'Spring', channelType: 'chatapp' } });
  const visitor = new Visitor(url);
  const page = await visitor.open(link.body.url);
  const proof = /name="proof" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
  const [browser = ''] = visitor.cookies.values();
  return { linkPath: new URL(link.body.url).pathname, proof, browser };
}

async function seedDemo({ db }: TestApi): Promise<string> {
  const deps = adminDeps(db, { env: { DEPLOYMENT: 'development' satisfies Deployment } });
  const { staffApiKey } = (await commands['seed-demo']!.run(deps, [])) as { staffApiKey: string };
  return staffApiKey;
}
