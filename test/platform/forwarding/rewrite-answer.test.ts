import test from 'ava';
import fc from 'fast-check';
import { rewriteAnswer } from '../../../platform/forwarding/rewrite-answer.ts';
import { platformHosts } from '../../../platform/forwarding/gateway-headers.ts';

const secret = 'EAAG-secret-token';
const rewriting = {
  secrets: [secret],
  hosts: new Set<string>(platformHosts),
  gatewayUrl: 'https://gateway.example',
  version: 'v25.0',
  addressFields: ['url'],
  sealAddress: () => 'https://gateway.example/media/sealed',
};
const rewritten = (text: string): string => rewriteAnswer(Buffer.from(text), rewriting).bytes.toString();

test('an answer with nothing to hide keeps every byte', (t) => {
  fc.assert(
    fc.property(fc.json(), fc.boolean(), (json, isSpaced) => {
      const text = isSpaced ? JSON.stringify(JSON.parse(json), null, 1) : json;
      if (/access_token|url|http/i.test(text)) return;
      t.is(rewritten(text), text);
    }),
  );
  t.pass();
});

test('the credential is removed everywhere and the answer remains JSON', (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, around) => {
      const text = JSON.stringify({ a: value, b: [{ c: `${around}${secret}${around}` }], access_token: value });
      const clean = rewritten(text);
      t.false(clean.includes(secret));
      t.deepEqual(JSON.parse(clean).a, JSON.parse(text).a);
    }),
  );
});

test('URLs of all platform hosts are rewritten with a version', (t) => {
  for (const host of platformHosts) {
    const next = `https:\\/\\/${host}\\/v25.0\\/1\\/feed?access_token=${secret}&after=A%3D%3D`;
    t.is(rewritten(`{"next":"${next}"}`), '{"next":"https://gateway.example/platform/v25.0/1/feed?after=A%3D%3D"}');
    t.is(rewritten(`{"a":"https://${host}/1/feed"}`), '{"a":"https://gateway.example/platform/v25.0/1/feed"}');
  }
  t.is(rewritten('{"a":"https://cdn.example/x?b=1"}'), '{"a":"https://cdn.example/x?b=1"}');
});

test('only a field of the outermost object is a file URL', (t) => {
  t.is(
    rewritten('{"url":"https://files.example/1","in":{"url":"https://files.example/2"}}'),
    '{"url":"https://gateway.example/media/sealed","in":{"url":"https://files.example/2"}}',
  );
});
