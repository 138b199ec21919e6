import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { anInbox, codeIn, otherCode } from '../../harness/people/email-codes.ts';
import { type Canaries, findCanaries, workflowTexts, shownTexts } from '../../harness/system/canaries.ts';
import { strangeLines } from '../../harness/system/captured-log.ts';
import { sharedSystem } from '../../harness/system/shared-system.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const json = { 'content-type': 'application/json' };

async function post(url: string, body: object) {
  const answer = await fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) });
  const fields: Readonly<Record<string, string>> = JSON.parse(await answer.text());
  return { status: answer.status, body: fields };
}

async function agentSystem(t: ExecutionContext) {
  const inbox = await anInbox(t);
  const env = { SMTP_URL: inbox.smtpUrl, MAIL_FROM: 'no-reply@example.com', LOG_LEVEL: 'trace' };
  const system = await startSystem(t, { apis: 2, env });
  const [first = '', second = ''] = system.apiUrls;
  const claim = async (email: string): Promise<{ registrationId: string; otp: string }> => {
    const request = () => post(`${first}/agent/auth/claim`, { email, scopes: ['workspace.read'] });
    // A busy machine may start no workflow within the deadline. No email is sent then.
    const { body } = await until(
      async () => {
        const answer = await request();
        return answer.status !== 503 && answer;
      },
      { for: 'The claim' },
    );
    await until(() => inbox.messages(email).length > 0, { for: 'The email with the code' });
    return { registrationId: body['registrationId'] ?? '', otp: codeIn(inbox.messages(email)[0]?.text) };
  };
  const complete = (url: string, body: object) => post(`${url}/agent/auth/claim/complete`, body);
  return { ...system, first, second, claim, complete };
}

type AgentSystem = Awaited<ReturnType<typeof agentSystem>>;

test('claims are locked across restarts, and neither logs nor workflows contain secrets', async (t) => {
  const system = await agentSystem(t);
  await lockedClaim(t, system);
  await secretClaim(t, system);
});

async function lockedClaim(t: ExecutionContext, system: AgentSystem): Promise<void> {
  const { first, second, claim, complete, apis, workers, temporal } = system;
  const { registrationId, otp } = await claim('guessed@example.com');
  const wrong = { registrationId, otp: otherCode(otp) };
  t.is((await complete(first, wrong)).status, 422);
  t.is((await complete(second, wrong)).status, 422);
  await workers[0]!.kill9();
  t.is((await complete(second, wrong)).status, 422);
  await apis[0]!.crash();
  t.is((await complete(first, wrong)).status, 422);
  const locked = await complete(second, wrong);
  t.is(locked.body.code, 'OTP_LOCKED');
  t.is((await complete(first, { registrationId, otp })).body.code, 'OTP_LOCKED');
  await workers[0]!.start();
  t.is(await temporal.workflow.getHandle(`registration/${registrationId}`).result(), 'locked');
}

async function secretClaim(t: ExecutionContext, system: AgentSystem): Promise<void> {
  const { first, claim, complete, workers, apis, temporal } = system;
  const before = system.lines.length;
  const email = 'canary-5b1f@example.com';
  const { registrationId, otp } = await claim(email);
  await complete(first, { registrationId, otp: otherCode(otp) });
  const { body, status } = await complete(first, { registrationId, otp });
  t.is(status, 200);
  const headers = { authorization: `Bearer ${body.accessToken}` };
  const listed = await fetch(`${first}/organizations/${body.organizationPublicId}/workspaces`, { headers });
  t.is(listed.status, 200);
  t.is(await temporal.workflow.getHandle(`registration/${registrationId}`).result(), 'completed');

  const workflows = await workflowTexts(temporal);
  for (const one of [...workers, ...apis]) await one.stop();
  // The last line of a killed process may be incomplete.
  const lines = system.lines.slice(before);
  t.true(workflows.some(({ text }) => text.includes('"registrationId":')));
  t.true(lines.some((line) => line.includes('"code.sent"')));
  const canaries: Canaries = { key: String(body['accessToken']), address: email };
  // Six digits also occur in times and ids.
  const code = new RegExp(`(?<![0-9A-Za-z.])${otp}(?![0-9A-Za-z])`);
  const texts = shownTexts({ lines, workflows });
  t.deepEqual(
    texts.flatMap((one) => findCanaries(canaries, one)),
    [],
  );
  t.deepEqual(
    texts.filter(({ text }) => code.test(text)),
    [],
  );
  t.deepEqual(strangeLines(lines), []);
}

const script = join(import.meta.dirname, '../../../docs/examples/agent-key.sh');
const hasCurl = spawnSync('curl', ['--version']).status === 0;

(hasCurl ? test : test.skip)('the example script obtains an agent key and uses it', async (t) => {
  const { apiUrls, inbox } = await sharedSystem(t);
  const env = {
    PATH: process.env['PATH'],
    BASE_URL: apiUrls[0],
    MAIL_INBOX_URL: inbox.url,
    EMAIL: 'script@example.com',
  };
  // The second run finds the code of the first one in the inbox.
  for (const _ of [1, 2]) {
    const { stderr } = await promisify(execFile)('sh', [script], { env });
    t.regex(stderr, /workspaces -> 200\n.*\n.*onboarding-links -> 403\n.*\n.* -> 401\n$/);
  }
});
