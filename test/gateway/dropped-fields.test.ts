import test from 'ava';
import { refusedCall, startStage } from './stage.ts';

const page = '/platform/v25.0/1000';
const script = { 'GET /1000': { json: { id: '1000' } } };

for (const [asked, sent, dropped] of [
  ['id,certificate,name', 'id,name', 'certificate'],
  ['roles', 'id', 'roles'],
  ['name,access_token.as(x)', 'name', 'access_token'],
  ['comments{from{access_token}}', 'comments{from{id}}', 'access_token'],
  ['posts.limit(5){id,comments{from{name,accounts}}},link', 'posts.limit(5){id,comments{from{name}}},link', 'accounts'],
  ['id,business{owned_pages}', 'id', 'business'],
  ['id,unknown_edge{id,name},name', 'id,name', 'unknown_edge'],
  ['id, webhook_configuration , name, new_certificate', 'id, name', 'webhook_configuration, new_certificate'],
] as const) {
  test(`a field that a token may not read is dropped: ${asked}`, async (t) => {
    const { call, seen } = await startStage(t, { script });

    const answer = await call(`GET ${page}?limit=2&fields=${encodeURIComponent(asked)}&summary=total%20count`);

    t.is(answer.status, 200, answer.text);
    t.is(seen[0]?.query.get('fields'), sent);
    t.is(answer.headers['x-service-dropped-fields'], dropped);
    t.deepEqual([seen[0]?.query.get('limit'), seen[0]?.query.get('summary')], ['2', 'total count']);
  });
}

test('a list without such a field keeps its encoding', async (t) => {
  const { call } = await startStage(t, {
    script: (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ url: request.url }));
    },
  });

  const answer = await call(`GET ${page}?fields=id%2cname%2Cnew_field&limit=2`);

  t.regex(String(answer.body['url']), /\?fields=id%2cname%2Cnew_field&limit=2&/);
  t.is(answer.headers['x-service-dropped-fields'], undefined);
});

test('fields in a body are refused rather than dropped', async (t) => {
  const options = { json: { message: 'x', fields: 'id,certificate' } };
  await refusedCall(t, `POST ${page}/feed`, { codes: ['VALIDATION_ERROR'], options, stage: { script } });
});
