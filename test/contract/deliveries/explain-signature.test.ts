import { createHmac } from 'node:crypto';
import test from 'ava';
import { explainSignature } from '../../../contract/deliveries/explain-signature.ts';
import { type SignatureCase, signatureCauses, type TextHmac } from '../../../contract/deliveries/signature-case.ts';

const base64 = Buffer.alloc(32, 7).toString('base64');
const secret = `whsec_${base64}`;
const decoded = Buffer.from(base64, 'base64');
/** As the platform writes JSON. */
const body = String.raw`{"text":"h\u00e9ron","url":"https:\/\/a.example","at":1}`;
const plain = JSON.stringify(JSON.parse(body));
const atSeconds = 1_767_225_600;
const hmacOf = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
const hmac: TextHmac = async (key, text) => {
  const mac = hmacOf('text' in key ? key.text : Buffer.from(key.base64, 'base64'), text).digest();
  return { hex: mac.toString('hex'), base64: mac.toString('base64') };
};
const hex = (key: string | Buffer, text: string) => hmacOf(key, text).digest('hex');
const b64 = (key: string | Buffer, text: string) => hmacOf(key, text).digest('base64');
const standardText = `wd_12345678.${atSeconds}.${body}`;
const service = { 'x-service-signature-256': `sha256=${hex('another', body)},sha256=${hex(secret, body)}` };
const standard = {
  'webhook-id': 'wd_12345678',
  'webhook-timestamp': String(atSeconds),
  'webhook-signature': `v1,${b64('another', standardText)} v1,${b64(decoded, standardText)}`,
};
const headers = { ...service, ...standard };
const seen = new Set<string>();

async function causesOf(given: Partial<SignatureCase>): Promise<string> {
  const usual = { secret, body, headers, nowMs: atSeconds * 1000, toleranceSeconds: 300 };
  const findings = await explainSignature({ ...usual, ...given }, hmac);
  for (const { cause } of findings) seen.add(cause);
  return findings.map(({ cause }) => cause).join();
}

const sent = { body, headers };
const both = [undefined, sent].map((record) => (record ? { sent: record } : {}));

test.serial('the right secret and body match', async (t) => {
  for (const record of both) {
    t.is(await causesOf(record), 'secret_matches,body_matches');
    t.is(await causesOf({ ...record, headers: service }), 'secret_matches,body_matches');
    t.is(await causesOf({ ...record, headers: standard }), 'secret_matches,body_matches');
  }
});

const secrets: readonly (readonly [what: string, given: string, cause: string])[] = [
  ['a secret with a line break', `${secret}\n`, 'secret_padded'],
  ['a quoted secret', `"${secret}"`, 'secret_padded'],
  ['a secret without its prefix', base64, 'secret_without_prefix'],
];
for (const [what, given, cause] of secrets) {
  test.serial(`${what} is explained`, async (t) => {
    for (const record of both) t.is(await causesOf({ ...record, secret: given }), `${cause},body_matches`);
  });
}

test.serial('the record separates a wrong secret from a wrong body', async (t) => {
  for (const given of [`whsec_${Buffer.alloc(32).toString('base64')}`, 'verify-me', '']) {
    t.is(await causesOf({ secret: given, sent }), 'secret_wrong');
    t.is(await causesOf({ secret: given }), 'secret_or_body_wrong');
  }
  t.is(await causesOf({ body: '{}', sent }), 'secret_matches,body_wrong');
  t.is(await causesOf({ body: '{}' }), 'secret_or_body_wrong');
});

const bodies: readonly (readonly [what: string, given: string, cause: string])[] = [
  ['a body with indentation', JSON.stringify(JSON.parse(body), null, 1), 'body_rewritten'],
  ['a body with decoded escapes', plain, 'body_rewritten'],
  ['a trailing line break', `${body}\n`, 'body_end_changed'],
  ['a trailing line break of Windows', `${body}\r\n`, 'body_end_changed'],
  ['a byte order mark', `\uFEFF${body}`, 'body_byte_order_mark'],
];
for (const [what, given, cause] of bodies) {
  test.serial(`${what} is explained`, async (t) => {
    for (const record of both) t.is(await causesOf({ ...record, body: given }), `secret_matches,${cause}`);
  });
}

test.serial('changed line breaks are explained', async (t) => {
  const lines = '{\n"at": 1\n}';
  const signed = { 'x-service-signature-256': `sha256=${hex(secret, lines)}` };
  const given = { body: lines.replaceAll('\n', '\r\n'), headers: signed };
  t.is(await causesOf(given), 'secret_matches,body_line_breaks');
  t.is(await causesOf({ ...given, sent: { body: lines, headers: signed } }), 'secret_matches,body_line_breaks');
});

test.serial('missing, swapped and foreign headers are explained', async (t) => {
  t.is(await causesOf({ headers: { 'x-hub-signature-256': 'sha256=00' } }), 'header_missing');
  const [finding] = await explainSignature(
    { secret, body, headers: { 'x-hub-signature-256': 'sha256=00' }, nowMs: 0, toleranceSeconds: undefined },
    hmac,
  );
  t.regex(finding!.text, /x-hub-signature-256/);
  const swapped = { ...standard, 'webhook-signature': `sha256=${hex(secret, body)}` };
  t.regex(await causesOf({ headers: swapped, sent }), /^header_swapped/);
  const other = { ...headers, 'webhook-timestamp': String(atSeconds + 1) };
  t.is(await causesOf({ headers: other, sent }), 'header_of_other_attempt,secret_matches,body_matches');
});

test.serial('an old timestamp is explained in both directions', async (t) => {
  for (const seconds of [-301, 301])
    t.is(
      await causesOf({ nowMs: (atSeconds + seconds) * 1000 }),
      'timestamp_old,secret_matches,body_matches',
      String(seconds),
    );
  t.is(await causesOf({ nowMs: 0, toleranceSeconds: undefined }), 'secret_matches,body_matches');
});

const computed: readonly (readonly [what: string, given: string, cause: string])[] = [
  ['the right service signature', `sha256=${hex(secret, body)}`, 'computed_matches'],
  ['the right standard signature', `v1,${b64(decoded, standardText)}`, 'computed_matches'],
  ['a decoded secret for the service signature', hex(decoded, body), 'computed_wrong_key'],
  ['a whole secret for the standard signature', b64(secret, standardText), 'computed_wrong_key'],
  ['an undecoded secret', hex(base64, body), 'computed_wrong_key'],
  ['milliseconds', b64(decoded, standardText.replace('.1767225600.', '.1767225600000.')), 'computed_wrong_time'],
  ['another algorithm', 'abc', 'computed_unknown'],
];
for (const [what, given, cause] of computed) {
  test.serial(`a computed signature with ${what} is explained`, async (t) => {
    t.is(await causesOf({ computed: given, sent }), `secret_matches,body_matches,${cause}`);
  });
}

test.serial('a computed signature of a changed body is explained', async (t) => {
  const given = { body: plain, computed: hex(secret, plain) };
  t.is(await causesOf(given), 'secret_matches,body_rewritten,computed_wrong_body');
});

test.serial('each cause has a test', (t) => {
  t.deepEqual(
    signatureCauses.filter((cause) => !seen.has(cause)),
    [],
  );
});
