import test, { type ExecutionContext } from 'ava';
import { createApiMeter } from '../../../metrics/api-metrics.ts';
import { testApi } from '../../harness/api/api.ts';
import { codesByMail, otherCode } from '../../harness/people/email-codes.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

const VICTIM = 'ann@example.com';
const WRONG_PER_HOUR = 12;

async function stage(t: ExecutionContext) {
  const codes = await codesByMail(t);
  const log = rememberingLog();
  const meter = createApiMeter();
  const emailCodes = { perAddressHourly: 5, perClientHourly: 20, wrongHourly: WRONG_PER_HOUR };
  const api = await testApi(t, { starts: codes.temporal, trustProxy: true, emailCodes, log, meter });
  const from = (address: string, cookie = '') => ({ 'x-forwarded-for': address, ...(cookie && { cookie }) });
  const ask = async (email: string, headers: Record<string, string>): Promise<string> =>
    (await api.call('POST /auth/sign-in', { body: { email }, headers })).body.registrationId;
  const show = (registrationId: string, otp: string, headers: Record<string, string>) =>
    api.call('POST /auth/sign-in/complete', { body: { registrationId, otp }, headers });
  const guess = async (number: number) => {
    const email = `person${number}@example.com`;
    const headers = from(`198.51.100.${number}`);
    const registrationId = await ask(email, headers);
    return await show(registrationId, otherCode(codes.codeFor(email)), headers);
  };
  return { ...api, ...codes, log, meter, from, ask, show, guess };
}

test('wrong codes are limited across accounts, but known browsers sign in', async (t) => {
  const { ask, show, guess, from, codeFor, log, meter } = await stage(t);
  const home = from('203.0.113.1');
  const first = await show(await ask(VICTIM, home), codeFor(VICTIM), home);
  t.is(first.status, 200);
  const mark = first.headers.getSetCookie()[1]?.split(';')[0] ?? '';

  for (let number = 1; number <= WRONG_PER_HOUR; number++) t.is((await guess(number)).body.code, 'OTP_INVALID');
  const refused = await guess(WRONG_PER_HOUR + 1);
  t.is(refused.status, 429);
  t.is(refused.body.code, 'RATE_LIMITED');
  t.true(Number(refused.headers.get('retry-after')) > 3_000);

  const away = from('203.0.113.7');
  t.is(
    (await show(await ask(VICTIM, away), codeFor(VICTIM), away)).status,
    429,
    'the right code in an unknown browser',
  );
  const known = from('203.0.113.8', mark);
  t.is((await show(await ask(VICTIM, known), codeFor(VICTIM), known)).status, 200);

  const [line] = log.lines.filter(({ event }) => event === 'code.refused');
  t.like(line, { level: 'warn', bound: 'installation' });
  const exposed = await meter.register.expose();
  t.regex(exposed, /channels_email_codes_refused_total\{reason="wrong"\} 12\n/);
  t.regex(exposed, /channels_email_codes_refused_total\{reason="installation"\} 2\n/);
});

test('an agent shares the limit of wrong codes with users', async (t) => {
  const { call, refused, guess, codeFor } = await stage(t);
  for (let number = 1; number <= WRONG_PER_HOUR; number++) await guess(number);
  const { body } = await call('POST /agent/auth/claim', { body: { email: VICTIM, scopes: ['channel.read'] } });
  const claim = { registrationId: body.registrationId, otp: codeFor(VICTIM) };
  await refused('RATE_LIMITED', 'POST /agent/auth/claim/complete', { body: claim });
});

test('right codes do not count towards the limit', async (t) => {
  const { ask, show, from, codeFor } = await stage(t);
  for (let number = 1; number <= WRONG_PER_HOUR + 3; number++) {
    const headers = from(`198.51.100.${number}`);
    t.is((await show(await ask(`person${number}@example.com`, headers), codeFor(`person${number}@example.com`), headers)).status, 200); // prettier-ignore
  }
});
