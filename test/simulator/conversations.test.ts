import { createHmac } from 'node:crypto';
import test from 'ava';
import { startPlatform } from '../../simulator/platform.ts';
import { seededIds } from '../../simulator/content/seed.ts';

const appSecret = 'app secret';
const token = 'token';
const proof = createHmac('sha256', appSecret).update(token).digest('hex');

test('a sent message appears in the conversation with its recipient', async (t) => {
  const platform = await startPlatform({ port: 0, appSecret, webhookUrl: 'http://127.0.0.1:1/', verifyToken: 'v' });
  t.teardown(() => platform.stop());
  const { pageId } = seededIds('001');
  const person = '4400000000000001';
  const call = async (path: string, init?: RequestInit) => {
    const separator = path.includes('?') ? '&' : '?';
    const url = `${platform.url}/v25.0/${path}${separator}access_token=${token}&appsecret_proof=${proof}`;
    return JSON.parse(await (await fetch(url, init)).text());
  };
  platform.messaging.control({ inbound: [{ account: pageId, from: person }], webhooks: { echoMs: null } });
  const body = JSON.stringify({ recipient: { id: person }, message: { text: 'Your order is ready.' } });
  const headers = { 'content-type': 'application/json' };
  const sent = await call(`${pageId}/messages`, { method: 'POST', body, headers });
  const fields = 'messages{id,message,from}';
  const { data } = await call(`${pageId}/conversations?user_id=${person}&fields=${encodeURIComponent(fields)}`);
  t.is(data.length, 1);
  t.like(data[0].messages.data[0], { id: sent.message_id, message: 'Your order is ready.', from: { id: pageId } });
});
