import test from 'ava';
import { refusedCall, type Script, startStage } from './stage.ts';

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
  const { status } = await refusedCall(t, `GET ${page}?limit=1#`, { codes: ['VALIDATION_ERROR'], stage: { script } });
  t.is(status, 400);
});

for (const name of ['access[token', 'comment[id', 'include[headers']) {
  test(`a name with an unclosed bracket (${name}) is refused`, async (t) => {
    const expected = { codes: ['VALIDATION_ERROR'], stage: { script } };
    await refusedCall(t, `GET ${page}?${name}=x`, expected);
    const options = { body: `message=x&${name}=x`, headers: form };
    await refusedCall(t, `POST ${page}/feed`, { ...expected, options });
  });
}

for (const body of ['post_id[0]=9000_1', 'recipient[comment_id][]=99', 'attached_media[0][media_fbid][0]=97']) {
  test(`a single-object list (${body}) is refused in a form`, async (t) => {
    const options = { body, headers: form };
    await refusedCall(t, `POST ${page}/messages`, { codes: ['PAGEAPP_SCOPE_DENIED'], options, stage: { script } });
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
    const options = { json: { message: 'x', ...json } };
    await refusedCall(t, `POST ${page}/feed`, { codes: ['PAGEAPP_SCOPE_DENIED'], options, stage: { script } });
  });
}

test('a string that starts with a bracket is accepted', async (t) => {
  const { call } = await startStage(t, { script });

  const post = await call(`POST ${page}/feed`, { json: { message: '[New] We are open' } });
  const comment = await call('POST /platform/v25.0/1000_1/comments', { body: 'message={wow}', headers: form });

  t.deepEqual([post.status, comment.status], [200, 200], post.text);
});

test('almost valid JSON that could name an object is refused', async (t) => {
  for (const recipient of ["{'comment_id':'99'}", '{comment_id:99}', "{'comment\\u005fid':'99'}"]) {
    const options = { json: { recipient, message: { text: 'x' } } };
    await refusedCall(t, `POST ${page}/messages`, { codes: ['PAGEAPP_SCOPE_DENIED'], options, stage: { script } });
  }
});

test('an edge cannot be expanded in the older syntax', async (t) => {
  for (const fields of ['unknown_edge.fields(id)', 'posts.fields(id,message).limit(2)']) {
    await refusedCall(t, `GET ${page}?fields=${fields}`, { codes: ['VALIDATION_ERROR'], stage: { script } });
  }
});

test("a browser's boundary is accepted", async (t) => {
  const { call, seen } = await startStage(t, { script });
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';

  const answer = await call(`POST ${page}/photos`, {
    body: `--${boundary}\r\ncontent-disposition:form-data;name="caption"\r\n\r\nx\r\n--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });

  t.is(answer.status, 200, answer.text);
  t.is(seen.length, 1);
});
