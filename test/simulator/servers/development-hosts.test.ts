import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import test from 'ava';
import { isDevelopmentHost } from '../../../simulator/servers/development-hosts.ts';
import { startMailInbox } from '../../../simulator/mail/inbox.ts';
import { startPlatform } from '../../../simulator/platform.ts';
import { startReceiver } from '../../../simulator/receiver/receiver.ts';

const hosts = ['receiver.example.com'];

const tools = {
  'the scripted receiver': () => startReceiver({ port: 0, hosts }),
  'the mail inbox': () => startMailInbox({ port: 0, smtpPort: 0, hosts }),
  'the platform simulator': () => startPlatform({ port: 0, hosts, appSecret: 's', webhookUrl: 'http://127.0.0.1:1/' }),
};

async function statusFor(url: string, host: string): Promise<number | undefined> {
  const request = httpRequest(`${url}/healthz`, { headers: { host } }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

for (const [name, start] of Object.entries(tools)) {
  test(`${name} answers requests to localhost only`, async (t) => {
    const tool = await start();
    t.teardown(tool.stop);
    t.is(await statusFor(tool.url, 'rebound.example.com'), 421);
    t.is(await statusFor(tool.url, 'Receiver.example.com'), 200);
    t.is(await statusFor(tool.url, `localhost:${tool.port}`), 200);
  });
}

test('names of this machine are accepted with any port', (t) => {
  for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:3100', '[::1]', '[::1]:80', 'api.localhost:3000']) {
    t.true(isDevelopmentHost(host), host);
  }
});

test('names that resemble this machine are refused', (t) => {
  for (const host of [
    undefined,
    '',
    'localhost.example.com',
    'notlocalhost',
    '127.0.0.1.nip.io',
    '127.0.0.2',
    '0.0.0.0',
    '::1',
    'localhost:3100:80',
    'localhost@example.com',
  ]) {
    t.false(isDevelopmentHost(host), String(host));
  }
});
