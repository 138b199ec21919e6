import test from 'ava';
import { aWebhook } from '../harness/deliveries/ledger.ts';
import { cliStage } from './api-stage.ts';

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Without the time limit, which a busy machine may exceed. */
const unhurried = async ({ url, method, headers }: Request): Promise<Response> => await fetch(url, { method, headers });

test('doctor checks address, clock, version, key and webhook', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t);
  await aWebhook(db, channel);
  const asked: string[] = [];
  const reaching = async (request: Request) => {
    if (!request.url.includes('127.0.0.1')) {
      asked.push(request.method);
      return new Response('no', { status: 405 });
    }
    return await unhurried(request);
  };
  const { ok, findings } = await cli.json(`doctor ${ch}`, { fetch: reaching });
  t.true(ok);
  t.deepEqual(findings.map(({ check }: Finding) => check), ['address', 'clock', 'version', 'key', 'webhook']); // prettier-ignore
  t.regex(findings.at(-1).detail, /reachable from here \(GET answered 405\)/);
  t.deepEqual(asked, ['GET']);
});

test('doctor names each check that fails', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t);
  await aWebhook(db, channel);
  const findingsOf = async (line: string, options: Parameters<typeof cli.run>[1]) => {
    const { code, stdout } = await cli.run(`${line} --json`, options);
    t.is(code, 1);
    return JSON.parse(stdout)
      .findings.filter((one: Finding) => !one.ok)
      .map(({ check }: Finding) => check);
  };
  const failing = async (request: Request) => {
    if (!request.url.includes('127.0.0.1')) throw new Error('connect ECONNREFUSED');
    return await unhurried(request);
  };
  const now = () => Date.now() + 3_600_000;
  t.deepEqual(await findingsOf(`doctor ${ch}`, { fetch: failing, now }), ['clock', 'webhook']);
  t.deepEqual(await findingsOf('doctor', { fetch: unhurried, env: { SERVICE_API_KEY: 'hmok_wrong' } }), ['key']);
  t.deepEqual(await findingsOf('doctor', { fetch: () => Promise.reject(new Error('offline')) }), ['address']);
});
