import test, { type ExecutionContext } from 'ava';
import { request as httpRequest } from 'undici';
import { type SeenRequest, startUpstream } from '../gateway/stage.ts';
import { findCanaries } from '../harness/system/canaries.ts';
import { strangeLines } from '../harness/system/captured-log.ts';
import { startSystem, type System } from '../harness/system/system.ts';
import { until } from '../harness/until.ts';
import { pluck } from '../harness/pluck.ts';

const canaries = { platformToken: 'platform-token' };
const message = { to: '15550100001', type: 'text', text: { body: 'Hello' } };

test('the gateway records calls, shows no credentials and refuses dead ones', async (t) => {
  const seen: SeenRequest[] = [];
  const upstream = await startUpstream(
    {
      // The platform repeats the credential in its answers.
      'POST /10/messages': { json: { messages: [{ id: 'wamid.1' }], echo: 'Bearer platform-token' } },
      'POST /11/messages': {
        status: 401,
        json: { error: { message: 'Session expired', code: 190, error_subcode: 463 } },
      },
    },
    seen,
  );
  t.teardown(() => upstream.stop());
  const system = await startSystem(t, { gateways: 2, env: { PLATFORM_API_URL: upstream.url, LOG_LEVEL: 'trace' } });
  await refusedCredential(t, system);
  await recordedCalls(t, { system, seen });
});

interface Sends {
  readonly system: System;
  readonly seen: readonly SeenRequest[];
}

async function recordedCalls(t: ExecutionContext, { system, seen }: Sends): Promise<void> {
  const channel = await system.channel();
  await system.db('channels').where({ id: channel.id }).update({ resource_id: '10' });
  const tokenOf = async (route: string, body?: unknown): Promise<string> =>
    String((await system.api.callUntilDone(`${route.replace('{ch}', channel.publicId)}`, body)).body.token);
  const send = (token: string, gateway = 0) => post(`${system.gatewayUrls[gateway]}/platform/v22.0/10/messages`, token);

  const token = await tokenOf('GET /platform/channels/{ch}/token');
  const first = await send(token);
  const fresh = await tokenOf('POST /platform/channels/{ch}/token/rotate', { overlapSeconds: 0 });
  const old = [await send(token, 0), await send(token, 1)];
  const second = await send(fresh, 1);
  await until(async () => (await system.db('outbound_calls').where({ channel_id: channel.id })).length === 2, {
    for: 'Both calls in the list',
  });
  const stops = await Promise.all(system.gateways.map((gateway) => gateway.stop()));

  t.deepEqual([first.status, second.status, ...old.map(({ status }) => status)], [200, 200, 401, 401]);
  t.is(seen.at(-1)?.headers['authorization'], 'Bearer platform-token');
  const calls = await system.db('outbound_calls').where({ channel_id: channel.id }).orderBy('started_at');
  t.deepEqual(
    calls.map((call) => [call.via, call.caller, call.method, call.path, call.status, call.request_id]),
    [
      ['gateway', token.slice(0, 14), 'POST', '10/messages', 200, first.requestId],
      ['gateway', fresh.slice(0, 14), 'POST', '10/messages', 200, second.requestId],
    ],
  );
  t.deepEqual(pluck(stops, 'code'), [0, 0]);
  const shown = [...system.lines, first.text, second.text, JSON.stringify(calls)];
  t.deepEqual(
    shown.flatMap((text) => findCanaries({ ...canaries, token, fresh }, { place: 'what is shown', text })),
    [],
  );
  t.deepEqual(strangeLines(system.lines), []);
}

async function refusedCredential(t: ExecutionContext, system: System): Promise<void> {
  const channel = await system.channel();
  await system.db('channels').where({ id: channel.id }).update({ resource_id: '11' });
  const { body } = await system.api.call(`GET /platform/channels/${channel.publicId}/token`);
  const url = `${system.gatewayUrls[0]}/platform/v22.0/11/messages`;

  const refused = await post(url, body.token);
  const afterwards = await post(url, body.token);

  t.deepEqual([refused.status, afterwards.status], [401, 409]);
  t.like(JSON.parse(refused.text), { error: { code: 190 } });
  t.is(JSON.parse(afterwards.text).code, 'CREDENTIAL_REFUSED');
  const shown = (await system.api.call(`GET /platform/channels/${channel.publicId}`)).body;
  t.true(shown.connected);
  t.regex(shown.credentialRefusedReason, /code 190, subcode 463/);
}

async function post(url: string, token: string) {
  const response = await httpRequest(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
  const text = await response.body.text();
  return { status: response.statusCode, text, requestId: response.headers['x-request-id'] };
}
