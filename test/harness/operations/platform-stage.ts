import type { ExecutionContext } from 'ava';
import type { ChannelType } from '../../../contract/event-types.ts';
import type { OutboundCall } from '../../../db/operations/outbound-calls.ts';
import { createPlatformOperations } from '../../../platform/operations/operations.ts';
import { startPlatform } from '../../../simulator/platform.ts';
import type { ApiAnswer } from '../api/api-answer.ts';
import { type ApiCall, testApi } from '../api/api.ts';
import { rememberingLog } from '../quiet-log.ts';
import { aChannel, aTenant } from '../tenants.ts';

/** The channels' credential, which no response may contain. */
const CANARY = 'platform-token';
const SECRET = 'app secret';
const resourceIds: Readonly<Record<ChannelType, string>> = {
  chatapp: '100000000000011',
  photoapp: '200000000000011',
  pageapp: '300000000000011',
};

/** Searches every response for the credential. */
export async function platformStage(t: ExecutionContext<unknown>, type: ChannelType) {
  const quiet = { sentMs: null, deliveredMs: null, readMs: null, echoMs: null };
  const platform = await startPlatform({
    port: 0,
    appSecret: SECRET,
    webhookUrl: 'http://127.0.0.1:1/',
    messaging: { webhooks: quiet },
  });
  const operations = createPlatformOperations({ apiUrl: platform.url, clientId: 'demo-app', appSecret: SECRET });
  t.teardown(async () => {
    await operations.close();
    await platform.stop();
  });
  const log = rememberingLog();
  const calls: OutboundCall[] = [];
  const outbound = { record: (call: OutboundCall) => void calls.push(call), stop: () => Promise.resolve() };
  const api = await testApi(t, { platform: operations, outbound, log });
  const tenant = await aTenant(api.db);
  const channel = await aChannel(api.db, tenant.workspace, { type, resourceId: resourceIds[type] });
  const path = `/channels/${channel.publicId}`;

  const call = async (route: string, body?: unknown, more: ApiCall = {}): Promise<ApiAnswer> => {
    const [method = '', below = ''] = route.split(' ');
    const request = { key: tenant.apiKey, ...(body !== undefined && { body }), ...more };
    const answer = await api.call(`${method} ${path}${below}`, request);
    t.false(JSON.stringify([answer.body, calls, log.lines]).includes(CANARY), 'nothing shows the credential');
    return answer;
  };
  const ok = async (route: string, body?: unknown, more: ApiCall = {}): Promise<ApiAnswer['body']> => {
    const answer = await call(route, body, more);
    t.true(answer.status < 300, `${route}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const expectRefusal = async (
    code: string,
    route: string,
    ...request: [body?: unknown, more?: ApiCall]
  ): Promise<string> => {
    const answer = await call(route, ...request);
    t.is(answer.body?.code, code, `${route}: ${JSON.stringify(answer.body)}`);
    return answer.body?.message;
  };
  return {
    ...api,
    ...tenant,
    platform,
    operations,
    channel,
    resourceId: resourceIds[type],
    calls,
    path,
    call,
    ok,
    expectRefusal,
  };
}
