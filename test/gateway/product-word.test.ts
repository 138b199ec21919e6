import test, { type ExecutionContext } from 'ava';
import {
  chatappWordField as field,
  neutralChatappWord,
  upstreamChatappWord as usual,
} from '../../platform/client/chatapp-word.ts';
import { startPlatform } from '../../simulator/platform.ts';
import { subjectRules } from '../../platform/ownership/edges.ts';
import { type CallOptions, type SeenRequest, type StageOptions, startStage } from './stage.ts';

const number = { type: 'chatapp', resourceId: '3000', linkedResourceId: null } as const;
const profileEdge = Object.keys(subjectRules.number.edges).find((edge) => edge.endsWith('_profile')) ?? '';
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const multipart = { 'content-type': 'multipart/form-data; boundary=XX' };

/** Returns the body that the platform received. */
async function sent(
  t: ExecutionContext<unknown>,
  { edge = 'messages', ...call }: CallOptions & { readonly edge?: string },
  options: StageOptions = {},
): Promise<SeenRequest> {
  const stage = await startStage(t, { channel: number, script: { [`POST /3000/${edge}`]: { json: {} } }, ...options });
  const answer = await stage.call(`POST /platform/v22.0/3000/${edge}`, call);
  t.is(answer.status, 200, answer.text);
  return stage.seen.at(-1)!;
}

test('only the neutral product name is replaced', async (t) => {
  const body = (word: string): string =>
    `{ "to":"1",\r\n "messaging_product" : ${word},"n":12345678901234567890, "x":"caf\\u00e9 \\/ chatapp",` +
    `"text":{"messaging_product":"chatapp","body":"👋 chatapp"} }\n`;

  for (const edge of ['messages', 'block_users']) {
    const seen = await sent(t, { edge, body: body('"chatapp"'), headers: json });
    t.is(seen.body, body(`"${usual}"`));
    t.is(seen.headers['content-length'], String(Buffer.byteLength(seen.body)));
  }
  t.is((await sent(t, { body: body('"ch\\u0061tapp"'), headers: json })).body, body(`"${usual}"`));
});

test('repeated and escaped names are found', async (t) => {
  const body = (word: string): string => `{"messaging_product":"${word}","messaging\\u005fproduct":"${word}"}`;

  t.is((await sent(t, { body: body('chatapp'), headers: json })).body, body(usual));
});

for (const word of ['"Chatapp"', '"other"', '7', 'null', '["chatapp"]', `"${usual}"`]) {
  test(`a body with the product ${word} is forwarded unchanged`, async (t) => {
    const body = `{"messaging_product": ${word}, "to": "1"}`;

    t.is((await sent(t, { body, headers: json })).body, body);
  });
}

test('a body without a product is forwarded unchanged', async (t) => {
  const body = '{"to": "chatapp"}';

  t.is((await sent(t, { body, headers: json })).body, body);
  t.is((await sent(t, { body, headers: { ...json, 'transfer-encoding': 'chunked' } })).body, body);
});

test('the product name is replaced in a form', async (t) => {
  const body = (word: string): string => `to=1&messaging_product=${word}&text=messaging_product%3Dchatapp&a=chatapp`;

  const seen = await sent(t, { body: body('chatapp'), headers: form });

  t.is(seen.body, body(usual));
  t.is(seen.headers['content-length'], String(seen.body.length));
});

test('bodies for a Page are not rewritten', async (t) => {
  const stage = await startStage(t, { script: { 'POST /1000/messages': { json: {} } } });
  const body = '{"messaging_product":"chatapp"}';

  await stage.call('POST /platform/v25.0/1000/messages', { body, headers: json });

  t.is(stage.seen.at(-1)?.body, body);
});

const wordPart = (word: string, head = 'Content-Disposition: form-data; name="messaging_product"'): string =>
  `--XX\r\n${head}\r\n\r\n${word}\r\n`;
const filePart = (content: string): string =>
  '--XX\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n' +
  `${content}\r\n`;
const END = '--XX--\r\n';
const content = `chatapp\r\n--X\r\nmessaging_product\r\n\r\nchatapp${'x'.repeat(300_000)}`;

for (const [where, formWith] of [
  ['before its file', (part: string) => part + filePart(content) + END],
  ['after its file', (part: string) => filePart(content) + part + END],
] as const) {
  test(`an upload with the product ${where} keeps its length`, async (t) => {
    const body = formWith(wordPart('chatapp'));

    const seen = await sent(t, { edge: 'media', body, headers: multipart });

    const shorter = wordPart(usual, 'Content-Disposition:form-data; name="messaging_product"');
    t.is(seen.body, formWith(shorter));
    t.is(seen.headers['content-length'], String(body.length));
    const read = await new Response(seen.body, { headers: multipart }).formData();
    t.is(read.get('messaging_product'), usual);
    t.is(await (read.get('file') as File).text(), content);
  });

  test(`a chunked upload with the product ${where} keeps other bytes`, async (t) => {
    const headers = { ...multipart, 'transfer-encoding': 'chunked' };

    const seen = await sent(t, { edge: 'media', body: formWith(wordPart('chatapp')), headers });

    t.is(seen.body, formWith(wordPart(usual)));
  });

  test(`an upload with another word ${where} is forwarded unchanged`, async (t) => {
    for (const word of [usual, 'chatapps', 'chatap', '', ' chatapp', 'chatapp\r\n']) {
      const body = formWith(wordPart(word));
      t.is((await sent(t, { edge: 'media', body, headers: multipart })).body, body);
    }
  });
}

test('an upload without room for a longer word is refused', async (t) => {
  const { call } = await startStage(t, { channel: number });
  const body = wordPart(neutralChatappWord, 'Content-Disposition:form-data;name="messaging_product"') + END;

  const answer = await call('POST /platform/v22.0/3000/media', { body, headers: multipart });

  t.is(answer.body['code'], 'VALIDATION_ERROR');
  t.true(String(answer.body['message']).includes(`${field} must say ${usual}`));
});

test('an upload is parsed equally for any chunks', async (t) => {
  const { watchFieldNames } = await import('../../platform/forwarding/multipart-fields.ts');
  const body = Buffer.from(wordPart('chatapp') + filePart('y\r\n--X') + wordPart('chatapp') + END);
  for (let size = 1; size < 60; size++) {
    const refusalOf = ({ text }: { readonly text: string }) => new Error(text);
    const watcher = watchFieldNames({ boundary: 'XX', refusalOf, chatappWord: usual });
    for (let at = 0; at < body.length; at += size) watcher.write(body.subarray(at, at + size));
    watcher.end();
    const chunks: Buffer[] = [];
    for await (const chunk of watcher) chunks.push(chunk);
    t.is(
      Buffer.concat(chunks).toString(),
      body.toString().replaceAll('\n\r\nchatapp\r', `\n\r\n${usual}\r`),
      `${size}`,
    );
  }
});

test('a strict platform accepts calls with the neutral word', async (t) => {
  const quiet = { sentMs: null, deliveredMs: null, readMs: null, echoMs: null };
  const needs = { port: 0, appSecret: 'app-secret-canary', webhookUrl: 'http://127.0.0.1:1/' };
  const platform = await startPlatform({ ...needs, messaging: { webhooks: quiet } });
  t.teardown(() => platform.stop());
  platform.messaging.control({ words: 'real' });
  const id = '100000000000011';
  const { call } = await startStage(t, { channel: { ...number, resourceId: id }, apiUrl: platform.url });
  const at = (edge: string, options: CallOptions) => call(`POST /platform/v22.0/${id}/${edge}`, options);
  const file = filePart('png').replace('image/png', 'image/jpeg');
  const type = '--XX\r\nContent-Disposition: form-data; name="type"\r\n\r\nimage/jpeg\r\n';

  const text = { to: '15551230000', type: 'text', text: { body: 'Hello' } };
  const message = await at('messages', { json: { messaging_product: 'chatapp', ...text } });
  const upload = await at('media', { body: file + type + wordPart('chatapp') + END, headers: multipart });
  const profile = await at(profileEdge, { json: { messaging_product: 'chatapp', about: 'Hello' } });

  t.deepEqual([message.status, upload.status, profile.status], [200, 200, 200], message.text + upload.text);
  t.is(platform.messaging.sent().length, 1);
});

test('the response has the word that the request had', async (t) => {
  const answer = (word: string): string =>
    `{ "messaging_product" : "${word}", "n":12345678901234567890,\n "data":[{"messaging_product":"${word}"}],"x":"${usual}"}`;
  const stage = await startStage(t, {
    channel: number,
    script: { 'POST /3000/messages': { text: answer(usual), headers: json } },
  });
  const read = async (call: CallOptions) => (await stage.call('POST /platform/v22.0/3000/messages', call)).text;

  t.is(await read({ body: '{"messaging_product":"chatapp"}', headers: json }), answer('chatapp'));
  t.is(await read({ body: 'messaging_product=chatapp', headers: form }), answer('chatapp'));
  t.is(await read({ body: `{"messaging_product":"${usual}"}`, headers: json }), answer(usual));
  t.is(await read({ body: '{}', headers: json }), answer(usual));
});
