import { apiVersion } from '../../contract/api-version.ts';
import type { Run } from './run.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { command } from './definition.ts';

/** Standard Webhooks libraries refuse timestamps that are five minutes off; a minute leaves room. */
const MAX_CLOCK_OFFSET_MS = 60_000;
const REACH_TIMEOUT_MS = 10_000;

interface Finding {
  readonly check: 'address' | 'version' | 'clock' | 'key' | 'webhook';
  readonly ok: boolean;
  readonly detail: string;
}

export const doctor = command('doctor [channel]', {
  summary: 'Check the address, version, clock, key and, for a channel, its webhook from here',
  examples: ['', 'ch_4fT9aPq2 --json'],
  async run(run, [ch]) {
    const reached = await checkAddress(run);
    const findings = [reached.finding];
    if (reached.finding.ok) {
      findings.push(checkClock(reached), await checkVersion(run));
      const key = await checkKey(run);
      findings.push(key);
      if (key.ok && ch !== undefined) findings.push(await checkWebhook(run, ch));
    }
    const isWell = findings.every(({ ok }) => ok);
    if (run.output.isJson) run.output.json({ ok: isWell, findings });
    else
      run.output.table(findings, {
        CHECK: 'check',
        RESULT: ({ ok }) => (ok ? { text: 'ok', tone: 'good' } : { text: 'failed', tone: 'bad' }),
        DETAIL: 'detail',
      });
    if (!isWell) throw new CliError('A check failed.', { exitCode: exitCodes.failure });
  },
});

interface Reached {
  readonly finding: Finding;
  readonly serverAtMs: number | null;
  readonly localAtMs: number;
}

async function checkAddress({ world, settings }: Run): Promise<Reached> {
  const { value: url, source } = settings.baseUrl;
  const beganAtMs = world.now();
  const response = await send(world, `${url}/healthz`);
  const endedAtMs = world.now();
  const localAtMs = (beganAtMs + endedAtMs) / 2;
  if (!(response instanceof Response) || !response.ok) {
    const why = response instanceof Response ? `answered ${response.status}` : response.message;
    return {
      finding: { check: 'address', ok: false, detail: `${url} (${source}): ${why}` },
      serverAtMs: null,
      localAtMs,
    };
  }
  const serverAtMs = Date.parse(response.headers.get('date') ?? '');
  const detail = `${url} (${source}) answered in ${Math.round(endedAtMs - beganAtMs)} ms`;
  return { finding: { check: 'address', ok: true, detail }, serverAtMs: serverAtMs || null, localAtMs };
}

/** The header has whole seconds. */
function checkClock({ serverAtMs, localAtMs }: Reached): Finding {
  if (serverAtMs === null) return { check: 'clock', ok: true, detail: 'not checked: the answer has no Date' };
  const offsetMs = localAtMs - serverAtMs;
  const seconds = Math.round(Math.abs(offsetMs) / 1000);
  const detail =
    seconds <= 1 ? 'agrees with the service' : `${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the service`;
  return { check: 'clock', ok: Math.abs(offsetMs) <= MAX_CLOCK_OFFSET_MS, detail };
}

async function checkVersion({ world, settings }: Run): Promise<Finding> {
  const response = await send(world, `${settings.baseUrl.value}/openapi.json`);
  const document: unknown = response instanceof Response ? await response.json().catch(() => null) : null;
  const served = versionOf(document);
  if (served === null) return { check: 'version', ok: false, detail: 'the address serves no OpenAPI document' };
  const detail =
    served === apiVersion ? `API ${served}` : `this program knows API ${apiVersion}, the service has ${served}`;
  return { check: 'version', ok: majorOf(served) === majorOf(apiVersion), detail };
}

function versionOf(document: unknown): string | null {
  if (typeof document !== 'object' || document === null || !('info' in document)) return null;
  const { info } = document;
  const hasVersion = typeof info === 'object' && info !== null && 'version' in info;
  return hasVersion && typeof info.version === 'string' ? info.version : null;
}

const majorOf = (text: string): string => text.split('.')[0] ?? text;

async function checkKey(run: Run): Promise<Finding> {
  try {
    const { user, credential } = await (await run.client()).get('/auth/session');
    const scopes = credential.scopes === null ? 'all scopes' : credential.scopes.join(', ');
    return { check: 'key', ok: true, detail: `${credential.id} of ${user.email ?? user.id}, ${scopes}` };
  } catch (error) {
    return { check: 'key', ok: false, detail: messageOf(error) };
  }
}

/** Any answer shows that the URL is reachable. The service's own probes check more. */
async function checkWebhook(run: Run, ch: string): Promise<Finding> {
  const reach = async (): Promise<Finding> => {
    const { webhookUrl } = await (await run.inWorkspace()).get('/webhook-config/{ch}', { params: { path: { ch } } });
    if (webhookUrl === null) return { check: 'webhook', ok: false, detail: `${ch} has no webhook` };
    const response = await send(run.world, webhookUrl);
    if (response instanceof Response) {
      return {
        check: 'webhook',
        ok: true,
        detail: `${webhookUrl} is reachable from here (GET answered ${response.status})`,
      };
    }
    return { check: 'webhook', ok: false, detail: `${webhookUrl} is not reachable from here: ${response.message}` };
  };
  return await reach().catch((error: unknown) => ({ check: 'webhook', ok: false, detail: messageOf(error) }));
}

async function send(world: Run['world'], url: string): Promise<Response | Error> {
  try {
    const signal = AbortSignal.any([world.signal, AbortSignal.timeout(REACH_TIMEOUT_MS)]);
    return await world.fetch(new Request(url, { redirect: 'manual', signal }));
  } catch (error) {
    return new Error(messageOf(error));
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? `${error.message}: ${cause.message}` : error.message;
}
