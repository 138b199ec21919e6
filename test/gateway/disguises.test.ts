import test from 'ava';
import { type Script, startStage } from './stage.ts';

/** Calls that parsers read differently. */
const page = '/platform/v25.0/1000';
const script: Script = {
  'POST /1000/feed': { json: { id: '1000_5' } },
  'POST /1000/messages': { json: { message_id: 'm_1' } },
  'POST /1000/photos': { json: { id: '41' } },
  'POST /1000_1/comments': { json: { id: '1000_6' } },
  'GET /1000': { json: { id: '1000' } },
};
const form = { 'content-type': 'application/x-www-form-urlencoded' };

test('a query with a fragment or a separator is refused', async (t) => {
  const { call, seen } = await startStage(t, { script });

  const answer = await call(`GET ${page}?limit=1#`);

  t.is(answer.status, 400, answer.text);
  t.is(seen.length, 0);
});

for (const name of ['access[token', 'comment[id', 'include[headers']) {
  test(`a name with an unclosed bracket (${name}) is refused`, async (t) => {
    const { call, seen } = await startStage(t, { script });

    const query = await call(`GET ${page}?${name}=x`);
    const body = await call(`POST ${page}/feed`, { body: `message=x&${name}=x`, headers: form });

    t.deepEqual([query.status, body.status], [400, 400]);
    t.is(seen.length, 0);
  });
}

for (const body of ['post_id[0]=9000_1', 'recipient[comment_id][]=99', 'attached_media[0][media_fbid][0]=97']) {
  test(`a single-object list (${body}) is refused in a form`, async (t) => {
    const { call, seen } = await startStage(t, { script });

    const answer = await call(`POST ${page}/messages`, { body, headers: form });

    t.is(answer.status, 403, answer.text);
    t.true(seen.every(({ method }) => method === 'GET'));
  });
}

for (const json of [
  { 'attached_media[0]': { media_fbid: '97' } },
  { 'attached_media[0]': '{"media_fbid":"97"}' },
  { 'recipient[comment_id]': '99' },
  { Recipient: { comment_id: '99' } },
  { object_attachment: '97' },
  { attachment_id: '97' },
  { crossposted_video_id: '97' },
]) {
  test(`a foreign object in JSON is found: ${JSON.stringify(json)}`, async (t) => {
    const { call, seen } = await startStage(t, { script });

    const answer = await call(`POST ${page}/feed`, { json: { message: 'x', ...json } });

    t.is(answer.status, 403, answer.text);
    t.true(seen.every(({ method }) => method === 'GET'));
  });
}

test('a string that starts with a bracket is accepted', async (t) => {
  const { call } = await startStage(t, { script });

  const post = await call(`POST ${page}/feed`, { json: { message: '[New] We are open' } });
  const comment = await call('POST /platform/v25.0/1000_1/comments', { body: 'message={wow}', headers: form });

  t.deepEqual([post.status, comment.status], [200, 200], post.text);
});

test('almost valid JSON that could name an object is refused', async (t) => {
  const { call, seen } = await startStage(t, { script });
  const answers = [];
  for (const recipient of ["{'comment_id':'99'}", '{comment_id:99}', "{'comment\\u005fid':'99'}"]) {
    answers.push(await call(`POST ${page}/messages`, { json: { recipient, message: { text: 'x' } } }));
  }

  t.deepEqual(
    answers.map(({ status }) => status),
    [403, 403, 403],
  );
  t.is(seen.length, 0);
});

test('an edge cannot be expanded in the older syntax', async (t) => {
  const { call, seen } = await startStage(t, { script });

  t.is((await call(`GET ${page}?fields=unknown_edge.fields(id)`)).status, 400);
  t.is((await call(`GET ${page}?fields=posts.fields(id,message).limit(2)`)).status, 400);
  t.is(seen.length, 0);
});

const part = (boundary: string, name: string, value: string): string =>
  `--${boundary}\r\ncontent-disposition:form-data;name="${name}"\r\n\r\n${value}\r\n`;

for (const [what, type, body] of [
  [
    'a boundary that readers end at its comma',
    'boundary=b,c',
    `${part('b,c', 'x', `\r\n${part('b', 'method', 'delete')}`)}--b,c--\r\n`,
  ],
  [
    'a parameter that readers take for the boundary',
    'boundary x=b; boundary=c',
    `${part('c', 'x', `\r\n${part('b', 'method', 'delete')}`)}--c--\r\n`,
  ],
  [
    'a part behind its end',
    'boundary=b',
    `${part('b', 'x', 'y')}--b--\r\n--b\r\ncontent-disposition:x;name=method\r\n\r\ndelete`,
  ],
] as const) {
  test(`a multipart body with ${what} never reaches the platform completely`, async (t) => {
    const { call, seen } = await startStage(t, { script });

    const answer = await call(`POST ${page}/photos`, {
      body,
      headers: { 'content-type': `multipart/form-data; ${type}` },
    });

    t.is(answer.status, 400, answer.text);
    t.is(seen.length, 0);
  });
}

test("a browser's boundary is accepted", async (t) => {
  const { call, seen } = await startStage(t, { script });
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';

  const answer = await call(`POST ${page}/photos`, {
    body: `${part(boundary, 'caption', 'x')}--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });

  t.is(answer.status, 200, answer.text);
  t.is(seen.length, 1);
});
