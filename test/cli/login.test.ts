import { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { testCli } from './cli-run.ts';
import { listening } from '../harness/connections/listening.ts';

const REGISTRATION = 'reg_4fT9aPq2';
const CODE = '123456';

interface Service {
  readonly url: string;
  readonly tried: string[];
}

/** Stands for the service at the far side of a login, with the answers of the OpenAPI document. */
async function loginService(t: ExecutionContext, { tries = 5 }: { tries?: number } = {}): Promise<Service> {
  const tried: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
    const answer = (status: number, document: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    };
    const refuse = (code: string) => answer(422, { code, message: `${code}.` });
    if (request.url === '/agent/auth/claim')
      return answer(202, { registrationId: REGISTRATION, expiresAt: '2026-01-31T08:10:00.000Z' });
    if (request.url === '/auth/session') {
      const credential = { kind: 'agent', id: 'ac_1', scopes: [] };
      return answer(200, { user: { id: 'usr_1', email: 'me@example.com' }, credential, organizations: [] });
    }
    tried.push(body.otp);
    if (body.otp === CODE) return answer(200, { accessToken: 'hmok_1' });
    return refuse(tried.length < tries ? 'OTP_INVALID' : 'OTP_LOCKED');
  });
  const { url } = await listening(t, server);
  return { url, tried };
}

test('login asks again after a wrong code', async (t) => {
  const { url, tried } = await loginService(t);
  const cli = await testCli(t);
  const terminal = { columns: 200, answers: ['12', '000000', CODE] };
  const line = `login --email me@example.com --scopes read --base-url ${url}`;
  const end = await cli.run(line, { terminal });
  t.is(end.code, 0, end.stderr);
  t.deepEqual(tried, ['000000', CODE], 'a code that cannot be right is not sent');
  t.regex(end.stderr, /Invalid code\..*Try again[^]*OTP_INVALID\. Try again/);
  t.regex(end.stderr, /It expires at 2026-01-31 08:10:00 UTC\./);
});

test('login stops asking when the service accepts no more codes', async (t) => {
  const { url, tried } = await loginService(t, { tries: 2 });
  const cli = await testCli(t);
  const answers = ['000000', '000001', '000002'];
  const terminal = { columns: 200, answers };
  const end = await cli.run(`login --email me@example.com --scopes read --base-url ${url}`, { terminal });
  t.not(end.code, 0);
  t.deepEqual(tried, ['000000', '000001']);
  t.regex(end.stderr, /OTP_LOCKED/);
});

test('the second login step goes to the service of the first', async (t) => {
  const service = await loginService(t);
  const other = await loginService(t);
  const cli = await testCli(t, {});
  const begun = await cli.run(`login --email me@example.com --base-url ${service.url}`);
  t.regex(begun.stdout, /channels login --code <code>/);
  t.regex(await cli.fails(2, `login --code ${CODE} --base-url ${other.url}`), /The code comes from/);
  const end = await cli.run(`login --code ${CODE}`, { env: { BASE_URL: other.url } });
  t.is(end.code, 0, end.stderr);
  t.deepEqual([service.tried, other.tried], [[CODE], []]);
  t.is((await cli.json('whoami')).baseUrl, service.url);
  t.regex(await cli.fails(2, `login --code ${CODE}`), /waits for no code/);
});
