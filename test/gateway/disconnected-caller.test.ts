import { createServer } from 'node:http';
import { connect } from 'node:net';
import test from 'ava';
import { createGateway } from '../../gateway/create-gateway.ts';
import { rememberingLog } from '../harness/quiet-log.ts';
import { testSecretBox } from '../harness/tenants.ts';
import { until } from '../harness/until.ts';
import { channelToken, page, startUpstream } from './stage.ts';
import { listening } from '../harness/connections/listening.ts';

test('a caller that disconnects during authentication frees its slot', async (t) => {
  const upstream = await startUpstream({ 'POST /1000/messages': { json: { message_id: 'm_1' } } }, []);
  let isAsked = false;
  let isGone = false;
  const gateway = createGateway({
    apiUrl: upstream.url,
    gatewayUrl: '',
    appSecret: 'x',
    secretBox: testSecretBox,
    log: rememberingLog(),
    baseUrl: 'https://api.example.com',
    channels: {
      async openToken() {
        isAsked = true;
        await until(() => isGone, { for: 'The end of the first call' });
        const account = { resourceId: page.resourceId, token: 'upstream', refusedReason: null };
        return { channel: page, account, allowedCidrs: null };
      },
      refuseCredential: async () => undefined,
      containers: { record: async () => undefined, isOwn: async () => false },
      schemaState: async () => 'ok',
    },
    outbound: { record: () => undefined, stop: async () => undefined },
    limits: { callsUnderWay: 1 },
    isStopping: () => false,
  });
  const server = createServer((request, response) => {
    response.once('close', () => (isGone = true));
    gateway.handle(request, response);
  });
  const { port, url } = await listening(t, server);
  t.teardown(async () => {
    await gateway.close({ withinMs: 0 });
    await upstream.stop();
  });
  const path = '/platform/v25.0/1000/messages';
  const headers = { authorization: `Bearer ${channelToken}`, 'content-type': 'application/json' };

  const socket = connect({ host: '127.0.0.1', port });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n` +
      `Content-Type: ${headers['content-type']}\r\nContent-Length: 10\r\n\r\n{`,
  );
  await until(() => isAsked, { for: 'The lookup' });
  socket.destroy();
  const send = () => fetch(url + path, { method: 'POST', headers, body: '{}' });
  await until(() => isGone, { for: 'The end of the first call' });

  const status = await until(async () => (await send()).status === 200, { for: 'A place' });

  t.true(status);
});
