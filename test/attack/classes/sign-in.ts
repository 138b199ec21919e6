import { randomBytes } from 'node:crypto';
import { routes } from '../../../openapi/route-table.ts';
import type { AttackCase, AttackClass } from '../cases/attack-case.ts';
import { call } from '../cases/http-call.ts';
import { forgedTokens, refusedToken } from './forged-tokens.ts';
import { failureProblem, objectIn, refusalProblem } from '../cases/response-problems.ts';
import type { World } from '../cases/world.ts';

export const signIn: AttackClass = {
  name: 'sign-in',
  concurrency: 4,
  cases: async (world) => [
    ...guessedCodes(world),
    ...(await forgedTokens(world)),
    ...strangeTokens(world),
    ...foreignPages(world),
    ...refreshes(world),
    ...spoofedAddresses(world),
  ],
};

const GUESSES = 12;
const CODE_DEADLINE_MS = 60_000;

function guessedCodes({ baseUrl, mailInboxUrl, own }: World): AttackCase[] {
  if (mailInboxUrl === undefined) return [];
  const flows = [
    { start: 'POST /auth/sign-in', end: 'POST /auth/sign-in/complete', more: {} },
    { start: 'POST /agent/auth/claim', end: 'POST /agent/auth/claim/complete', more: { scopes: ['channel.read'] } },
  ];
  return flows.map(({ start, end, more }) => ({
    name: `${start}: ${GUESSES} guesses of a code from as many addresses`,
    expectation: 'the code is locked before the last guess, for the right code too',
    deadlineMs: CODE_DEADLINE_MS,
    attempt: async () => {
      const email = `guess-${randomBytes(6).toString('hex')}@example.com`;
      const code = await mailedCode({ baseUrl, mailInboxUrl }, { route: start, body: { email, ...more } });
      const { registrationId, otp: right } = code;
      const guesses = Array.from({ length: GUESSES }, (_, n) =>
        String((Number(right) + 1 + n) % 1_000_000).padStart(6, '0'),
      );
      for (const otp of guesses) {
        const answer = await call(baseUrl, end, { body: { registrationId, otp } });
        if (answer.status < 300) return `The guess ${otp} was taken.`;
      }
      const last = await call(baseUrl, end, { body: { registrationId, otp: right } });
      return last.status < 300
        ? `After ${GUESSES} wrong guesses the code is still good.`
        : leaked(last.text, own.organizationId);
    },
  }));
}

const leaked = (text: string, word: string): string | undefined =>
  text.includes(word) ? `It shows ${word}.` : undefined;

const CODE_LINE = /^ +(\d{6})$/m;

export async function mailedCode(
  { baseUrl, mailInboxUrl }: { readonly baseUrl: string; readonly mailInboxUrl: string },
  {
    route,
    body,
  }: { readonly route: string; readonly body: { readonly email: string } & Readonly<Record<string, unknown>> },
): Promise<{ readonly registrationId: string; readonly otp: string }> {
  const inbox = `GET /messages?to=${encodeURIComponent(body.email)}`;
  const [last] = messagesIn((await call(mailInboxUrl, inbox)).text);
  const { text } = await call(baseUrl, route, { body });
  const registrationId = objectIn(text)?.['registrationId'];
  if (typeof registrationId !== 'string') throw new Error(`No code is sent to ${body.email}: ${text}`);
  const mails = await call(mailInboxUrl, `${inbox}&after=${last?.number ?? 0}&waitMs=30000`);
  const [, otp] = CODE_LINE.exec(messagesIn(mails.text)[0]?.text ?? '') ?? [];
  if (otp === undefined) throw new Error(`There is no code for ${body.email}: ${mails.text.slice(0, 200)}`);
  return { registrationId, otp };
}

function messagesIn(text: string): readonly { readonly number: number; readonly text: string }[] {
  return (objectIn(text)?.['messages'] ?? []) as { number: number; text: string }[];
}

function strangeTokens(world: World): AttackCase[] {
  const texts = [
    '',
    '.',
    '..',
    '...',
    'null',
    'undefined',
    '{}',
    'hmok_',
    'hmat_',
    'hmsk_',
    `hmok_${'%00'.repeat(9)}`,
    "hmok_' or '1'='1",
    'a.b.c',
    'é',
  ];
  return texts.map((text) => refusedToken(world, JSON.stringify(text), text));
}

/** Browsers add the session cookie to these cross-site requests. */
function foreignPages({ baseUrl, session, own }: World): AttackCase[] {
  if (session === undefined) return [];
  const pages: readonly Readonly<Record<string, string>>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: baseUrl },
    { 'sec-fetch-site': 'SAME-ORIGIN ' },
    { origin: 'null' },
    { origin: 'https://attacker.example.com' },
    { origin: `${baseUrl}.attacker.example.com` },
    { origin: baseUrl.replace('//', '//attacker@') },
    { referer: `${baseUrl}/` },
    { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
  ];
  const changing = routes.filter(
    ({ access, method }) => method !== 'get' && access.auth === 'credential' && access.principals.includes('user'),
  );
  return changing.flatMap((route) =>
    pages.map((headers) => ({
      name: `${route.operationId} by a cookie from a page with ${JSON.stringify(headers)}`,
      expectation: 'FORBIDDEN',
      attempt: async () => {
        const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => own.id(route.parameters[name]!.kind));
        const line = `${route.method.toUpperCase()} ${path}?noRouteKnowsThis=1`;
        const all = { cookie: session.cookie, 'x-workspace-id': own.workspaceId, ...headers };
        return refusalProblem(await call(baseUrl, line, { headers: all }), 'FORBIDDEN');
      },
    })),
  );
}

function refreshes({ baseUrl, session, apiKey }: World): AttackCase[] {
  const invented = [
    `${'a'.repeat(43)}.${'b'.repeat(43)}.${'c'.repeat(43)}`,
    'x',
    apiKey,
    session?.accessToken.slice(0, 200) ?? 'y',
    '\0',
  ];
  return invented.map((refreshToken) => ({
    name: `a refresh with ${refreshToken.slice(0, 20)}`,
    expectation: 'a refusal',
    attempt: async () => refusalProblem(await call(baseUrl, 'POST /auth/refresh', { body: { refreshToken } })),
  }));
}

const SPOOFS = 300;
const SPOOF_DEADLINE_MS = 60_000;

/** Wrong keys from one address that pretends to be many. */
function spoofedAddresses({ baseUrl }: World): AttackCase[] {
  const names = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip'];
  return names.map((name, index) => ({
    name: `${SPOOFS} wrong keys from one address with another ${name} each`,
    expectation: 'RATE_LIMITED before the last one',
    deadlineMs: SPOOF_DEADLINE_MS,
    attempt: async () => {
      const from = process.platform === 'linux' ? { from: `127.77.0.${index + 1}` } : {};
      for (let count = 0; count < SPOOFS; count++) {
        const address = `203.0.113.${count % 250}`;
        const forms = [address, `${address}:${count + 1}`, `[::ffff:${address}]:${count + 1}`, `garbage ${count}`];
        const headers = {
          authorization: `Bearer hmok_${randomBytes(32).toString('base64url')}`,
          [name]: name === 'forwarded' ? `for=${address}` : forms[count % forms.length]!,
        };
        const answer = await call(baseUrl, 'GET /auth/session', { ...from, headers });
        if (answer.status === 429) return undefined;
        const problem = failureProblem(answer);
        if (problem !== undefined) return problem;
      }
      return `All ${SPOOFS} were looked up.`;
    },
  }));
}
