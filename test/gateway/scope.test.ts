import test from 'ava';
import { noSuchField, refusedCall, type Script, startStage } from './stage.ts';

const platformPath = '/platform/v25.0';

/** Objects of the Page 1000 and its photo account 2000, and of other accounts. */
const world: Script = {
  'GET /11': ({ query }) => (asks(query, 'object') ? { json: { id: '11', object: { id: '1000_1' } } } : noSuchField),
  'GET /99': ({ query }) => (asks(query, 'object') ? { json: { id: '99', object: { id: '9000_1' } } } : noSuchField),
  // The Page's comment on another account's post.
  'GET /98': ({ query }) =>
    asks(query, 'object')
      ? { json: { id: '98', object: { id: '9000_1' }, from: { id: '1000' } } }
      : { json: { id: '98', from: { id: '1000' } } },
  'GET /12': ({ query }) => (asks(query, 'from') ? { json: { id: '12', from: { id: '1000' } } } : noSuchField),
  'GET /97': ({ query }) => (asks(query, 'from') ? { json: { id: '97', from: { id: '9000' } } } : noSuchField),
  'GET /21': ({ query }) => (asks(query, 'owner') ? { json: { id: '21', owner: { id: '2000' } } } : noSuchField),
  'GET /22': ({ query }) => (asks(query, 'media') ? { json: { id: '22', media: { id: '21' } } } : noSuchField),
  'GET /96': ({ query }) => (asks(query, 'owner') ? { json: { id: '96', owner: { id: '9000' } } } : noSuchField),
  'GET /95': ({ query }) => (asks(query, 'media') ? { json: { id: '95', media: { id: '96' } } } : noSuchField),
  'GET /t_1': { json: { id: 't_1', participants: { data: [{ id: '5' }, { id: '1000' }] } } },
  'GET /t_9': { json: { id: 't_9', participants: { data: [{ id: '5' }, { id: '9000' }] } } },
};

function asks(query: URLSearchParams, field: string): boolean {
  return (query.get('fields') ?? '').split(',').includes(field);
}

const edges: Script = Object.fromEntries(
  [
    ...['GET /1000', 'POST /1000/feed', 'GET /1000/conversations', 'POST /1000_1/comments', 'DELETE /1000_1'],
    ...['POST /11/comments', 'DELETE /11', 'POST /12', 'GET /t_1/messages', 'POST /1000/messages'],
    ...['GET /2000', 'POST /2000/media', 'GET /21/comments', 'POST /22/replies', 'GET /2000/insights'],
  ].map((route) => [route, { json: { success: true } }]),
);

const stage = { script: { ...world, ...edges } };

for (const route of Object.keys(edges)) {
  test(`a Page's token reaches ${route}`, async (t) => {
    const { call, seen } = await startStage(t, stage);
    const [method, path] = route.split(' ');

    const answer = await call(`${method} ${platformPath}${path}`, method === 'POST' ? { json: { message: 'x' } } : {});

    t.is(answer.status, 200, answer.text);
    t.is(seen.at(-1)?.path, `/v25.0${path}`);
    t.is(seen.at(-1)?.method, method);
  });
}

for (const [what, route] of [
  ['a foreign Page', 'GET /9000'],
  ['sending from a foreign Page', 'POST /9000/messages'],
  ['a foreign post', 'GET /9000_1'],
  ['a comment on a foreign post', 'POST /9000_1/comments'],
  ['a foreign comment', 'DELETE /99'],
  ['a reply to a foreign comment', 'POST /99/comments'],
  ['its own comment on a foreign post', 'DELETE /98'],
  ['a foreign video', 'GET /97'],
  ['foreign photo media', 'GET /96/comments'],
  ['a comment on foreign photo media', 'POST /95/replies'],
  ['a foreign thread', 'GET /t_9/messages'],
  ['a person', 'GET /5'],
  ['/me', 'GET /me'],
  ['/me/messages', 'POST /me/messages'],
  ['/me/accounts', 'GET /me/accounts'],
  ['a name in place of an id', 'GET /somepage'],
  ['the search', 'GET /search?q=x'],
  ['token debugging', 'GET /debug_token'],
  ['roles of its own Page', 'GET /1000/roles'],
  ['subscriptions of its own Page', 'POST /1000/subscribed_apps'],
  ['accounts of its own Page', 'GET /1000/accounts'],
  ['the deletion of its own Page', 'DELETE /1000'],
  ['settings of its own Page', 'POST /1000'],
  ['longer paths', 'GET /1000/feed/1000_1'],
] as const) {
  test(`a Page's token cannot access ${what} (${route})`, async (t) => {
    const options = route.startsWith('POST') ? { json: { message: 'x' } } : {};
    const expected = { codes: ['PAGEAPP_SCOPE_DENIED'], options, stage };
    const { status } = await refusedCall(t, route.replace(' ', ` ${platformPath}`), expected);
    t.is(status, 403);
  });
}

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

const paths = wordsOf(`
  /platform /platform/ /platform/1000/messages /platform/v25.0 /platform/v25.0/ /platform/v25.0//1000
  /platform/v25.0/1000/ /platform/v25.0/1000%2Ffeed /platform/v25.0/9000%2F..%2F1000 /platform/v25.0/1000/../9000/feed
  /platform/v25.0/1000/%2e%2e/9000 /platform/v25.0/1000%5Cfeed /platform/v25.0/1000%00 /platform/v25.0/1000%3Ffields=x
  /platform/v25.0/1000%252Ffeed /platform/v25.0/1000;x=1 /platform/v25.0/1000%zz /platform/v24.0/1000
  /platform/v22.0/1000`);
for (const path of paths) {
  test(`a path outside the object is refused: ${path}`, async (t) => {
    const codes = ['VALIDATION_ERROR', 'PAGEAPP_SCOPE_DENIED', 'ROUTE_NOT_FOUND'];
    const { status } = await refusedCall(t, `GET ${path}`, { codes, stage });
    t.true([400, 403, 404].includes(status));
  });
}

test('the error for another version names the right one', async (t) => {
  const { call } = await startStage(t);

  const answer = await call('GET /platform/v22.0/1000');

  t.is(answer.status, 400);
  t.is(answer.body['code'], 'VALIDATION_ERROR');
  t.regex(String(answer.body['message']), /v25\.0/);
});

const queries = wordsOf(`
  ids=1000,9000 ids[]=9000 ids%5B0%5D=9000 id=9000 batch=[] include=x include_headers=true method=DELETE Method=delete
  _method=delete metadata=1 callback=x input_token=x fields=id.as(name) fields=name%0A fields=id|certificate
  fields=id,posts.limit(token) fields=posts{id,roles fields[]=access_token`);
for (const query of queries) {
  test(`the query ${query} is refused`, async (t) => {
    const { status } = await refusedCall(t, `GET ${platformPath}/1000?${query}`, {
      codes: ['VALIDATION_ERROR'],
      stage,
    });
    t.is(status, 400);
  });
}

test('allowed field expansions are forwarded unchanged', async (t) => {
  const { call, seen } = await startStage(t, { script: edges });
  const fields = 'id,name,posts.limit(5).order(chronological){message,comments.summary(true){from{name,id}}}';

  const answer = await call(`GET ${platformPath}/1000?fields=${encodeURIComponent(fields)}&limit=3`);

  t.is(answer.status, 200, answer.text);
  t.is(seen[0]?.query.get('fields'), fields);
  t.is(seen[0]?.query.get('limit'), '3');
});

for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
  test(`a method override by ${header} is refused`, async (t) => {
    const options = { headers: { [header]: 'DELETE' } };
    await refusedCall(t, `GET ${platformPath}/1000`, { codes: ['VALIDATION_ERROR'], options, stage });
  });
}

test('other methods are refused', async (t) => {
  const { call } = await startStage(t);

  t.is((await call(`PUT ${platformPath}/1000`)).status, 405);
  t.is((await call(`PATCH ${platformPath}/1000`)).status, 405);
});

const foreignBodies: readonly (readonly [string, string, unknown])[] = [
  ['a private reply to a foreign comment', 'messages', { recipient: { comment_id: '99' }, message: { text: 'x' } }],
  ['a private reply to a foreign post', 'messages', { recipient: { post_id: '9000_1' }, message: { text: 'x' } }],
  ['a recipient written as text', 'messages', { recipient: '{"comment_id":"99"}', message: { text: 'x' } }],
  ['a recipient named twice', 'messages', '{"recipient":{"comment_id":"99"},"recipient":{"id":"5"}}'],
  ['an escaped name', 'messages', '{"recipient":{"comment\\u005fid":"99"}}'],
  ['a number as the id', 'messages', '{"recipient":{"comment_id":99}}'],
  ['a list as the id', 'messages', { recipient: { comment_id: ['11'] } }],
  ['foreign media in a post', 'feed', { attached_media: [{ media_fbid: '12' }, { media_fbid: '97' }] }],
  ['foreign media in a post as text', 'feed', { attached_media: '[{"media_fbid":"97"}]' }],
  ['the end of a foreign upload', 'video_reels', { upload_phase: 'finish', video_id: '97' }],
  ['many objects', 'feed', { ids: '9000' }],
  ['another method', 'feed', { method: 'delete' }],
  ['a list of calls', 'feed', [{ method: 'GET' }]],
];

for (const [what, edge, json] of foreignBodies) {
  test(`a body with ${what} is refused`, async (t) => {
    const body = typeof json === 'string' ? json : JSON.stringify(json);
    const options = { body, headers: { 'content-type': 'application/json' } };
    await refusedCall(t, `POST ${platformPath}/1000/${edge}`, { options, stage });
  });
}

for (const body of [
  'recipient[comment_id]=99',
  'recipient=%7B%22comment_id%22%3A%2299%22%7D',
  'attached_media[0]=%7B%22media_fbid%22%3A%2297%22%7D',
  'attached_media[0][media_fbid]=97',
  'post_id=9000_1',
  'message=x&method=delete',
]) {
  test(`a form with ${body} is refused in body and query`, async (t) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await refusedCall(t, `POST ${platformPath}/1000/feed`, { options: { body, headers }, stage });
    await refusedCall(t, `POST ${platformPath}/1000/feed?${body}`, { stage });
  });
}

test("users and the channel's own objects are accepted in bodies", async (t) => {
  const { call } = await startStage(t, stage);
  const statuses = [];
  for (const json of [
    { recipient: { id: '5' }, message: { text: 'x' } },
    { recipient: { comment_id: '11' }, message: { text: 'x' } },
    { recipient: { post_id: '1000_1' }, message: { text: '{"comment_id":"99"}' } },
  ]) {
    statuses.push((await call(`POST ${platformPath}/1000/messages`, { json })).status);
  }
  statuses.push(
    (await call(`POST ${platformPath}/1000/feed`, { json: { attached_media: [{ media_fbid: '12' }] } })).status,
  );

  t.deepEqual(statuses, [200, 200, 200, 200]);
});

test('owners and foreign objects are cached', async (t) => {
  const { call, seen } = await startStage(t, stage);

  for (let count = 0; count < 3; count++) await call(`POST ${platformPath}/11/comments`, { json: { message: 'x' } });
  const lookUps = seen.filter(({ path, method }) => path === '/v25.0/11' && method === 'GET').length;
  for (let count = 0; count < 3; count++) await call(`POST ${platformPath}/99/comments`, { json: { message: 'x' } });
  const foreign = seen.filter(({ path }) => path === '/v25.0/99').length;

  t.deepEqual([lookUps, foreign], [1, 1]);
});

test("ids returned by the channel's edges need no lookup", async (t) => {
  const { call, seen } = await startStage(t, {
    script: {
      'GET /1000_1/comments': { json: { data: [{ id: '31' }, { id: '1000_32' }] } },
      'POST /1000/video_reels': { json: { video_id: '33', upload_url: 'https://upload.example/33' } },
      'DELETE /31': { json: { success: true } },
    },
  });
  await call(`GET ${platformPath}/1000_1/comments`);
  await call(`POST ${platformPath}/1000/video_reels`, { json: { upload_phase: 'start' } });

  const deleted = await call(`DELETE ${platformPath}/31`);
  const finished = await call(`POST ${platformPath}/1000/video_reels`, {
    json: { upload_phase: 'finish', video_id: '33' },
  });

  t.deepEqual([deleted.status, finished.status], [200, 200]);
  t.is(seen.length, 4);
});

test('a call is refused if its owner lookup fails', async (t) => {
  const { call, seen } = await startStage(t, {
    script: { 'GET /11': { status: 500, json: { error: { code: 2, message: 'Service temporarily unavailable' } } } },
  });

  const answer = await call(`DELETE ${platformPath}/11`);

  t.is(answer.status, 503);
  t.is(answer.body['code'], 'PLATFORM_UNAVAILABLE');
  t.is(seen.length, 1);
});

test('an owner lookup with an invalid credential refuses further calls', async (t) => {
  const { call, state } = await startStage(t, {
    script: { 'GET /11': { status: 401, json: { error: { code: 190, error_subcode: 460, message: 'x' } } } },
  });

  const answer = await call(`DELETE ${platformPath}/11`);

  t.is(answer.body['code'], 'CREDENTIAL_REFUSED');
  t.regex(state.refusedReason ?? '', /code 190, subcode 460/);
});

test("a photo account's token reaches neither the Page nor another account", async (t) => {
  const { call } = await startStage(t, {
    channel: { type: 'photoapp', resourceId: '2000', linkedResourceId: '1000' },
    script: { ...world, ...edges },
  });

  t.is((await call(`GET ${platformPath}/2000`)).status, 200);
  t.is((await call(`GET ${platformPath}/21/comments`)).status, 200);
  t.is((await call(`POST ${platformPath}/1000/feed`, { json: { message: 'x' } })).status, 403);
  t.is((await call(`GET ${platformPath}/96/comments`)).status, 403);
  t.is((await call(`POST ${platformPath}/2000/media_publish`, { json: { creation_id: '96' } })).status, 403);
});

test('a Page without a linked photo account cannot access one', async (t) => {
  const { call } = await startStage(t, { channel: { linkedResourceId: null }, script: { ...world, ...edges } });

  t.is((await call(`GET ${platformPath}/2000`)).status, 403);
  t.is((await call(`GET ${platformPath}/21/comments`)).status, 403);
});

test("a number's token reaches only its number, files and business account", async (t) => {
  const file = { id: '71', messaging_product: 'chatapp', mime_type: 'image/png', url: 'http://files.example/71' };
  const { call, seen } = await startStage(t, {
    channel: { type: 'chatapp', resourceId: '3000', linkedResourceId: null },
    script: {
      'POST /3000/messages': { json: { messages: [{ id: 'wamid.1' }] } },
      'GET /71': ({ query }) => (query.get('phone_number_id') === '3000' ? { json: file } : noSuchField),
      'GET /400/phone_numbers': { json: { data: [{ id: '3001' }, { id: '3000' }] } },
      'GET /500/phone_numbers': { json: { data: [{ id: '3001' }] } },
      'GET /400/message_templates': { json: { data: [{ id: '600' }] } },
      'POST /600': { json: { success: true } },
    },
  });
  const at = (route: string, json?: unknown) => call(route.replace(' ', ' /platform/v22.0'), json ? { json } : {});
  const image = (id: string) => ({ messaging_product: 'chatapp', to: '1', type: 'image', image: { id } });

  t.is((await at('POST /3000/messages', { to: '1', type: 'text', text: { body: 'x' } })).status, 200);
  t.is((await at('POST /3000/messages', image('71'))).status, 200);
  t.is((await at('POST /3000/messages', image('72'))).status, 403);
  t.is((await at('POST /3001/messages', { to: '1' })).status, 403);
  t.is((await at('GET /71')).status, 200);
  t.is(seen.at(-1)?.query.get('phone_number_id'), '3000');
  t.is((await at('GET /72')).status, 403);
  t.is((await at('GET /400/message_templates')).status, 200);
  t.is((await at('POST /600', { components: [] })).status, 200);
  t.is((await at('GET /500/message_templates')).status, 403);
  t.is((await at('GET /400/phone_numbers')).status, 403);
  t.is((await at('POST /3000/register', { pin: '1' })).status, 403);
  t.is((await call('POST /platform/v25.0/3000/messages', { json: {} })).status, 400);
});

test('ids from mixed lists are looked up', async (t) => {
  const { call } = await startStage(t, {
    script: {
      ...world,
      'GET /1000/photos': { json: { data: [{ id: '97' }] } },
      'POST /1000/photos': { json: { id: '41' } },
      'DELETE /41': {},
    },
  });
  await call(`GET ${platformPath}/1000/photos?type=tagged`);
  await call(`POST ${platformPath}/1000/photos`, { json: { url: 'https://files.example/1.jpg' } });

  t.is((await call(`DELETE ${platformPath}/97`)).status, 403);
  t.is((await call(`DELETE ${platformPath}/41`)).status, 200);
});
