import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { ApiClient } from '../../../client/create-client.ts';
import { freshSession } from '../../../cli/profiles/session.ts';
import type { World } from '../../../cli/terminal/world.ts';
import { type Cli, testCli } from '../cli-run.ts';

const key = { kind: 'key', apiKey: 'hmok_of-the-profile' };
const session = { kind: 'session', accessToken: 'hmst_old', refreshToken: 'hmrt_old', expiresAtMs: 0 };

async function signedIn(t: ExecutionContext, credential: object = key): Promise<Cli> {
  const cli = await testCli(t);
  const profile = { baseUrl: 'https://channels.example.com', workspaceId: 'ws_00000001', credential };
  await mkdir(cli.configFolder, { recursive: true });
  const profiles = JSON.stringify({ current: 'work', profiles: { work: profile } });
  await writeFile(join(cli.configFolder, 'config.json'), profiles);
  return cli;
}

function recording() {
  const shown: { origin: string; credential: string | null; workspace: string | null }[] = [];
  const fetch = async ({ url, headers }: Request): Promise<Response> => {
    const { origin } = new URL(url);
    shown.push({ origin, credential: headers.get('authorization'), workspace: headers.get('x-workspace-id') });
    return Response.json({
      channels: [],
      nextCursor: null,
      credential: { kind: 'api_key' },
      organizations: [],
      user: {},
    });
  };
  return { shown, fetch };
}

test("SERVICE_API_KEY is not sent to the profile's service", async (t) => {
  const cli = await signedIn(t);
  const env = { SERVICE_API_KEY: 'hmok_of-another-service', SERVICE_WORKSPACE_ID: 'ws_00000002' };
  const { shown, fetch } = recording();
  const end = await cli.run('list', { env, fetch });
  t.is(end.code, 0, end.stderr);
  const address = { credential: 'Bearer hmok_of-another-service', workspace: 'ws_00000002' };
  t.deepEqual(shown, [{ origin: 'http://localhost:3000', ...address }]);
  t.regex(
    end.stderr,
    /is sent to http:\/\/localhost:3000\. .*profile work, https:\/\/channels\.example\.com.*BASE_URL/,
  );
  await cli.run('list --base-url https://a.example.com', { env, fetch });
  const given = await cli.run('list', { env: { ...env, BASE_URL: 'https://b.example.com' }, fetch });
  t.deepEqual(shown.slice(1).map(({ origin }) => origin), ['https://a.example.com', 'https://b.example.com']); // prettier-ignore
  t.false(given.stderr.includes('SERVICE_API_KEY'), 'an explicit URL needs no note');
});

test("a profile's key is sent to its service with its workspace", async (t) => {
  const cli = await signedIn(t);
  const { shown, fetch } = recording();
  t.is((await cli.run('list', { fetch })).code, 0);
  t.deepEqual(shown, [
    { origin: 'https://channels.example.com', credential: 'Bearer hmok_of-the-profile', workspace: 'ws_00000001' },
  ]);
});

test("logout uses the profile's credential despite SERVICE_API_KEY", async (t) => {
  const cli = await signedIn(t);
  const { shown, fetch } = recording();
  const end = await cli.run('logout', { env: { SERVICE_API_KEY: 'hmok_of-another-service' }, fetch });
  t.is(end.code, 0, end.stderr);
  t.is(shown[0]?.origin, 'https://channels.example.com');
  t.is(shown[0]?.credential, 'Bearer hmok_of-the-profile');
});

test('a profile can be named like an object property', async (t) => {
  const cli = await signedIn(t);
  t.regex(await cli.fails(2, 'profiles use constructor'), /No profile 'constructor'/);
  t.regex(await cli.fails(4, 'list --profile constructor'), /You are not signed in/);
  await cli.json('profiles set --profile constructor --workspace ws_00000003');
  t.is((await cli.json('profiles list')).profiles.length, 2);
  t.regex(await cli.fails(2, 'login --email me@example.com --scopes constructor'), /Unknown scope 'constructor'/);
});

const tokens = { accessToken: 'hmst_new', refreshToken: 'hmrt_new', expiresIn: 3600, tokenType: 'Bearer' };

test('a refresh times out before its lock counts as abandoned', async (t) => {
  const cli = await signedIn(t, session);
  const timeouts: number[] = [];
  const uninterrupted = (timeoutMs: number): ApiClient => {
    timeouts.push(timeoutMs);
    return { post: () => Promise.resolve(tokens) } as unknown as ApiClient;
  };
  const world = { now: () => 1_000_000, configFolder: cli.configFolder } as World;
  const place = { world, profileName: 'work', uninterrupted };
  t.is(await freshSession(place, { ...session, kind: 'session' }), 'hmst_new');
  t.deepEqual(timeouts, [20_000]);
});

test('ctrl-C during a refresh keeps the new token', async (t) => {
  const cli = await signedIn(t, session);
  const asked: Request[] = [];
  const { promise, resolve } = Promise.withResolvers<Response>();
  const started = Promise.withResolvers<void>();
  const running = cli.start('list', {
    fetch: (request) => {
      asked.push(request);
      started.resolve();
      return new Promise((answer, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason));
        if (request.signal.aborted) reject(request.signal.reason);
        void promise.then(answer);
      });
    },
  });
  await started.promise;
  const stopped = running.stop();
  resolve(Response.json(tokens));
  t.is((await stopped).code, 130);
  t.true(asked[0]?.url.endsWith('/auth/refresh'));
  const { fetch, shown } = recording();
  t.is((await cli.run('list', { fetch })).code, 0);
  t.is(shown[0]?.credential, 'Bearer hmst_new');
});
