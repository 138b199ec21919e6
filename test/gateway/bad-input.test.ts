import test, { type ExecutionContext } from 'ava';
import { startPlatform } from '../../simulator/platform.ts';
import { appSecret, type CallOptions, startStage } from './stage.ts';

const number = '100000000000011';
const business = '400000000000001';
const chatapp = { type: 'chatapp', resourceId: number, linkedResourceId: null } as const;
const pageapp = { type: 'pageapp', resourceId: '300000000000011', linkedResourceId: '200000000000011' } as const;

async function stageFor(t: ExecutionContext, channel: typeof chatapp | typeof pageapp) {
  const simulator = await startPlatform({ port: 0, appSecret, webhookUrl: 'http://127.0.0.1:1/' });
  t.teardown(() => simulator.stop());
  return await startStage(t, { channel, apiUrl: simulator.url });
}

function upload(type: string, content = 'x'): CallOptions {
  const part = (name: string, value: string, more = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const file = part('file', content, `; filename="x.bin"\r\nContent-Type: ${type}`);
  const body = `${part('messaging_product', 'chatapp')}${part('type', type)}${file}--b--\r\n`;
  return { body, headers: { 'content-type': 'multipart/form-data; boundary=b' } };
}

const calls: readonly (readonly [string, typeof chatapp | typeof pageapp, string, CallOptions?])[] = [
  ['a file 0', chatapp, 'GET /0'],
  ['a deletion of a file 0', chatapp, 'DELETE /0'],
  ['a deleted file', chatapp, 'GET /6600000000000000'],
  ['an id that is too large', chatapp, `GET /${'9'.repeat(40)}`],
  ['an id that is a word', chatapp, 'GET /made-up'],
  ['a made-up cursor', chatapp, `GET /${business}/message_templates?after=made-up`],
  ['a negative limit', chatapp, `GET /${business}/message_templates?limit=-1`],
  ['an unknown field', chatapp, `GET /${number}?fields=made_up`],
  ['a file of a wrong type', chatapp, `POST /${number}/media`, upload('application/x-made-up')],
  ['an empty file', chatapp, `POST /${number}/media`, upload('image/png', '')],
  ['a message without a recipient', chatapp, `POST /${number}/messages`, { json: { messaging_product: 'chatapp' } }],
  ['a body that is a list', chatapp, `POST /${number}/messages`, { json: [] }],
  ['a post 0', pageapp, 'GET /0'],
  ['a made-up post', pageapp, 'GET /300000000000011_0'],
  ['a made-up thread', pageapp, 'GET /t_0/messages'],
  ['a made-up message', pageapp, 'GET /m_0'],
  ['a made-up cursor of a Page', pageapp, 'GET /300000000000011/posts?after=made-up'],
  ['a made-up metric', pageapp, 'GET /300000000000011/insights?metric=made_up'],
  ['a made-up comment', pageapp, 'POST /300000000000011_0/comments', { json: { message: 'x' } }],
  ['media 0 of a photo account', pageapp, 'GET /200000000000011/media?after=0'],
  ['a container 0', pageapp, 'POST /200000000000011/media_publish', { json: { creation_id: '0' } }],
];

for (const [what, channel, route, options] of calls) {
  test(`${what} is the caller's mistake`, async (t) => {
    const { call } = await stageFor(t, channel);
    const [method, path] = route.split(' ');
    const version = channel.type === 'chatapp' ? 'v22.0' : 'v25.0';

    const answer = await call(`${method} /platform/${version}${path}`, options);

    t.true(answer.status >= 400 && answer.status < 500, `${answer.status} ${answer.text}`);
    t.is(typeof (answer.body['error'] as { message?: unknown }).message, 'string', answer.text);
  });
}
