import test from 'ava';
import { startStage } from './stage.ts';

const number = { type: 'chatapp', resourceId: '3000', linkedResourceId: null } as const;
const metadata = (url: string) => ({ id: '71', messaging_product: 'chatapp', mime_type: 'text/plain', url });

for (const type of ['application/json', 'text/plain']) {
  test(`a ${type} file with an error message refuses no further calls`, async (t) => {
    const content = '{"error":{"code":190},"next":"https://platform.example/v22.0/1?access_token=x"}';
    const stage = await startStage(t, {
      channel: number,
      script: {
        'GET /71': () => ({ json: metadata(`${stage.upstreamUrl}/files/71`) }),
        'GET /files/71': { text: content, headers: { 'content-type': type } },
      },
    });
    const { pathname } = new URL(String((await stage.call('GET /platform/v22.0/71')).body['url']));

    const file = await stage.call(`GET ${pathname}`);

    t.is(file.text, content);
    t.is(stage.state.refusedReason, null);
  });
}

test('an address of a foreign host is not sealed', async (t) => {
  const stage = await startStage(t, {
    channel: number,
    script: { 'GET /71': { json: metadata('https://elsewhere.example/71') } },
  });

  t.is((await stage.call('GET /platform/v22.0/71')).body['url'], '');
});
