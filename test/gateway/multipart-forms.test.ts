import test, { type ExecutionContext } from 'ava';
import { fetch as undiciFetch, FormData as UndiciFormData } from 'undici';
import { channelToken, type RawScript, type StageOptions, startStage } from './stage.ts';

const route = '/platform/v25.0/1000/photos';
const number = { type: 'chatapp', resourceId: '3000', linkedResourceId: null } as const;
const multipart = { 'content-type': 'multipart/form-data; boundary=XX' };
const END = '--XX--\r\n';
const part = (headers: string, value = 'x'): string => `--XX\r\n${headers}\r\n\r\n${value}\r\n`;
const disposition = (parameters: string): string => part(`Content-Disposition: form-data; ${parameters}`);

async function startUploads(t: ExecutionContext<unknown>, options: StageOptions = {}) {
  const bodies: Buffer[] = [];
  const script: RawScript = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"41"}');
    });
  };
  return { bodies, ...(await startStage(t, { script, ...options })) };
}

const attacks: Readonly<Record<string, string>> = {
  'a name in single quotes': disposition("name='access_token'"),
  'a name without quotes': disposition('name=access_token'),
  'a name with a backslash': disposition('name="access\\_token"'),
  'an escaped quote in its name': disposition('name="a\\"; name=\\"access_token"'),
  'an escaped quote in a file name': disposition('name="source"; filename="a\\"; name=\\"access_token"'),
  'a name in an extended form': disposition("name*=utf-8''access_token"),
  'a second name in an extended form': disposition('name="a"; name*=utf-8\'\'access_token'),
  'a name in continued parts': disposition('name*0="access_"; name*1="token"'),
  'two names': disposition('name="a"; name="access_token"'),
  'two names, one in capitals': disposition('name="a"; NAME="access_token"'),
  'a name behind the file name': disposition('filename="a.png"; name="access_token"'),
  'a percent-encoded name': disposition('name="access%5Ftoken"'),
  'a name in encoded words': disposition('name="=?utf-8?q?access=5Ftoken?="'),
  'an empty name': disposition('name=""'),
  'a name with a blank': disposition('name="access_token "'),
  'a name with a null character': disposition('name="access_token\0"'),
  'a name that is not ASCII': disposition('name="access_tokеn"'),
  'blanks around the equals sign': disposition('name = "access_token"'),
  'a tab before the name': part('Content-Disposition: form-data;\tname="access_token"'),
  'a comment before the name': disposition('(a) name="access_token"'),
  'a semicolon in its file name': disposition('name="a"; filename="a; name=access_token"'),
  'a file name in an extended form': disposition('name="a"; filename="a"; filename*=utf-8\'\'a'),
  'a folded header': part('Content-Disposition: form-data;\r\n name="access_token"'),
  'a folded second name': part('Content-Disposition: form-data; name="a"\r\n ; name="access_token"'),
  'a bare line feed among its headers': part('Content-Disposition: form-data; name="a"\nX: y'),
  'a bare carriage return among its headers': part('Content-Disposition: form-data; name="a"\rX: y'),
  'two dispositions': part(
    'Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="access_token"',
  ),
  'a disposition of another kind': part('Content-Disposition: attachment; name="a"'),
  'a blank before the colon': part('Content-Disposition : form-data; name="a"'),
  'a name in its media type': part(
    'Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; name="access_token"',
  ),
  'a multipart media type': part(
    'Content-Disposition: form-data; name="a"\r\nContent-Type: multipart/mixed; boundary=YY',
  ),
  'an encoding of its content': part('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64'),
  'an unknown header': part('Content-Disposition: form-data; name="a"\r\nX-Name: access_token'),
  'no disposition': part('Content-Type: text/plain'),
  'no headers': `--XX\r\n\r\nx\r\n`,
  'text behind its boundary': `--XX \r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n`,
  'line feeds alone': disposition('name="access_token"').replaceAll('\r\n', '\n'),
  'a part before the first boundary': `--YY\nContent-Disposition: form-data; name="access_token"\n\nx\r\n${disposition('name="a"')}`,
  'headers that are not UTF-8': disposition('name="a"; filename="\u00ff"'),
  'headers beyond their length': disposition(`name="a"; filename="${'é'.repeat(1_000)}${'x'.repeat(9_000)}"`),
};

for (const [what, body] of Object.entries(attacks)) {
  test(`a multipart body with ${what} is refused`, async (t) => {
    const { call, bodies } = await startUploads(t);
    const encoding = what.includes('not UTF-8') ? 'latin1' : 'utf8';

    const answer = await call(`POST ${route}`, { body: Buffer.from(body + END, encoding), headers: multipart });

    t.deepEqual([answer.status, answer.body['code']], [400, 'VALIDATION_ERROR'], answer.text);
    t.regex(String(answer.body['message']), /not well-formed/);
    t.is(bodies.length, 0);
  });
}

const field = (name: string, value = 'x'): string => part(`Content-Disposition: form-data; name="${name}"`, value);
const hidden = (boundary: string): string =>
  `\r\n--${boundary}\r\ncontent-disposition:form-data;name="method"\r\n\r\ndelete`;

const forbidden: readonly (readonly [what: string, body: string, type?: string])[] = [
  ['a token', field('access_token') + END],
  ['another method', field('method', 'delete') + END],
  ['another object', field('post_id', '9') + END],
  ['a part without a name', part('Content-Disposition: form-data') + END],
  ['a part hidden behind a line feed', field('a', `x${hidden('XX').replaceAll('\r\n', '\n')}`) + END],
  ['no end', field('a')],
  ['a part behind its end', `${field('a')}${END}${hidden('XX')}`],
  ['a boundary that readers end at its comma', (field('a', hidden('b')) + END).replaceAll('XX', 'b,c'), 'boundary=b,c'],
  [
    'a parameter that readers take for the boundary',
    (field('a', hidden('b')) + END).replaceAll('XX', 'c'),
    'boundary x=b; boundary=c',
  ],
];

for (const [what, body, type = 'boundary=XX'] of forbidden) {
  test(`a multipart body with ${what} never reaches the platform completely`, async (t) => {
    const { call, bodies } = await startUploads(t, { channel: number });
    const headers = { 'content-type': `multipart/form-data; ${type}` };
    const answer = await call('POST /platform/v22.0/3000/media', { body, headers });
    t.true([400, 401].includes(answer.status), answer.text);
    t.is(bodies.length, 0);
  });
}

test('a multipart body with more than 100 parts is refused', async (t) => {
  const { call, bodies } = await startUploads(t);
  const body = disposition('name="a"').repeat(101) + END;

  t.is((await call(`POST ${route}`, { body, headers: multipart })).status, 400);
  t.is(bodies.length, 0);
});

const clients: Readonly<Record<string, string>> = {
  curl:
    disposition('name="caption"') +
    part('Content-Disposition: form-data; name="source"; filename="a %22q%22 ü.png"\r\nContent-Type: image/png'),
  "Go's mime/multipart":
    disposition('name="caption"') +
    part('Content-Disposition: form-data; name="source"; filename="ü a.png"\r\nContent-Type: application/octet-stream'),
  "Python's requests":
    disposition('name="caption"') +
    part('Content-Disposition: form-data; name="source"; filename="ü %22q%22.png"\r\nContent-Type: image/png'),
  aiohttp:
    part('Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name="caption"') +
    part('Content-Type: image/png\r\nContent-Disposition: form-data; name="source"; filename="a.png"'),
  'Apache HttpClient':
    part(
      'Content-Disposition: form-data; name="caption"\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n' +
        'Content-Transfer-Encoding: 8bit',
    ) +
    part(
      'Content-Disposition: form-data; name="source"; filename="a.ogg"\r\nContent-Type: audio/ogg; codecs=opus\r\n' +
        'Content-Transfer-Encoding: binary',
    ),
};

for (const [client, form] of Object.entries(clients)) {
  test(`a multipart body of ${client} is forwarded unchanged`, async (t) => {
    const { call, bodies } = await startUploads(t);
    const body = Buffer.from(form + END);

    const answer = await call(`POST ${route}`, { body, headers: multipart });

    t.is(answer.status, 200, answer.text);
    t.deepEqual(bodies, [body]);
  });
}

for (const [client, Form, send] of [
  ['Node', FormData, fetch],
  ['undici', UndiciFormData, undiciFetch],
] as const) {
  test(`a form of ${client}'s fetch is forwarded`, async (t) => {
    const { url, bodies } = await startUploads(t);
    const form = new Form();
    form.set('caption', 'Größe\r\n"x"');
    form.set('source', new Blob(['png'], { type: 'image/png' }), 'a "q" ü.png');

    const response = await (send as typeof fetch)(url + route, {
      method: 'POST',
      headers: { authorization: `Bearer ${channelToken}` },
      body: form,
    });

    t.is(response.status, 200, await response.text());
    t.true(bodies[0]?.includes('name="source"; filename="a %22q%22 ü.png"'));
  });
}

test('the Content-Length header of a part is overwritten with blanks', async (t) => {
  const { call, bodies } = await startUploads(t);
  const header = 'Content-Disposition: form-data; name="caption"';
  const body = part(`${header}\r\nContent-Length: 4`, 'x\r\ny') + part(`Content-Length: 1\r\n${header}`) + END;

  const answer = await call(`POST ${route}`, { body, headers: multipart });

  t.is(answer.status, 200, answer.text);
  t.is(bodies[0]?.length, body.length);
  t.notRegex(String(bodies[0]), /length/i);
  const read = await new Response(bodies[0]?.toString() ?? '', { headers: multipart }).formData();
  t.deepEqual(read.getAll('caption'), ['x\r\ny', 'x']);
});
