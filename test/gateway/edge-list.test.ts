import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { upstreamChatappWord, conversationPlatforms } from '../../platform/client/chatapp-word.ts';
import { type SubjectRule, subjectRules } from '../../platform/ownership/edges.ts';
import { startStage } from './stage.ts';

/** The documentation replaces a product's name at the beginning of an edge by three dots. */
const names = new RegExp(`^(?:${upstreamChatappWord}|${conversationPlatforms.pageapp})`);

function entryOf({ name, methods, edges }: SubjectRule): string {
  const groups = Map.groupBy(Object.entries(edges), ([, rule]) => rule.methods.join(', '));
  const listed = [...groups].map(
    ([taken, group]) => `${taken} ${group.map(([edge]) => `\`${edge.replace(names, '…')}\``).join(', ')}`,
  );
  return `- **${name}**: ${methods.join(', ')}; ${listed.length === 0 ? 'no edges' : `edges ${listed.join('; ')}`}.`;
}

test('the documentation lists every object, method and edge', (t) => {
  const text = readFileSync(join(projectRoot, 'docs/gateway.md'), 'utf8');
  const section = text.slice(text.indexOf('\n## Edges\n'), text.indexOf('\n## ', text.indexOf('\n## Edges\n') + 1));
  const shown = section.replaceAll(/\n {2}/g, ' ').split('\n');
  const entries = Object.values(subjectRules).map(entryOf);

  for (const entry of entries) {
    t.true(
      shown.some((line) => line.startsWith(entry)),
      `docs/gateway.md, "Edges", needs:\n${entry}`,
    );
  }
  t.is(shown.filter((line) => line.startsWith('- **')).length, entries.length, 'and nothing else');
});

const page = '/platform/v25.0/1000';

test('the error distinguishes unsupported edges from foreign objects', async (t) => {
  const { call, seen } = await startStage(t);

  const unknown = await call(`GET ${page}/roles`);
  const readOnly = await call(`POST ${page}/insights`, { json: {} });
  const itself = await call(`DELETE ${page}`);
  const foreign = await call('GET /platform/v25.0/9000/feed');

  const refused = [unknown, readOnly, itself, foreign];
  t.deepEqual(
    refused.map(({ status, body }) => [status, body['code']]),
    refused.map(() => [403, 'PAGEAPP_SCOPE_DENIED']),
  );
  const [ofUnknown, ofReadOnly, ofItself, ofForeign] = refused.map(({ body }) => String(body['message']));
  t.regex(ofUnknown!, /belongs to this channel, but .* GET to the edge roles of a Page\. .*guide to the gateway/);
  t.regex(ofReadOnly!, /POST to the edge insights of a Page \(only GET\)/);
  t.regex(ofItself!, /DELETE to a Page itself \(only GET\)/);
  t.notRegex(ofForeign!, /belongs to this channel/);
  t.true(seen.every(({ method }) => method === 'GET'));
});

for (const route of [
  ...['GET /1000/albums', 'GET /1000/ratings', 'GET /1000/events', 'GET /1000/picture', 'GET /2000/product_tags'],
  ...['GET /1000_1/sharedposts', 'GET /2000/upcoming_events', 'POST /1000/welcome_message_flows'],
]) {
  test(`a Page's token reaches ${route}`, async (t) => {
    const { call, seen } = await startStage(t, { script: { [route]: { json: { data: [] } } } });
    const [method, path] = route.split(' ');

    const answer = await call(`${method} /platform/v25.0${path}`, method === 'POST' ? { json: { name: 'x' } } : {});

    t.is(answer.status, 200, answer.text);
    t.deepEqual(
      seen.map((one) => `${one.method} ${one.path}`),
      [`${method} /v25.0${path}`],
    );
  });
}

test("photos of the Page's albums are accessible", async (t) => {
  const { call } = await startStage(t, {
    script: {
      'GET /1000/albums': { json: { data: [{ id: '51' }] } },
      'GET /51/photos': { json: { data: [{ id: '52' }] } },
      'POST /52/comments': { json: { id: '53' } },
    },
  });

  await call(`GET ${page}/albums`);
  t.is((await call('GET /platform/v25.0/51/photos')).status, 200);
  t.is((await call('POST /platform/v25.0/52/comments', { json: { message: 'x' } })).status, 200);
});

test('a mention is answered under foreign media without a lookup', async (t) => {
  const { call, seen } = await startStage(t, { script: { 'POST /2000/mentions': { json: { id: '61' } } } });
  const json = { media_id: '96', comment_id: '95', message: 'Thank you' };

  const answer = await call('POST /platform/v25.0/2000/mentions', { json });
  const elsewhere = await call('POST /platform/v25.0/2000/media', { json: { media_id: '96' } });

  t.is(answer.status, 200, answer.text);
  t.deepEqual(JSON.parse(seen[0]?.body ?? ''), json);
  t.is(elsewhere.status, 403);
});

test("a number's token reaches its codes, greetings and marketing messages", async (t) => {
  const number = { type: 'chatapp', resourceId: '3000', linkedResourceId: null } as const;
  const routes = ['GET /3000/message_qrdls', 'POST /3000/conversational_automation', 'POST /3000/marketing_messages'];
  const script = Object.fromEntries(routes.map((route) => [route, { json: {} }]));
  const { call } = await startStage(t, { channel: number, script });
  for (const route of routes) {
    const json = route.startsWith('POST') ? { json: { to: '1' } } : {};
    t.is((await call(route.replace(' ', ' /platform/v22.0'), json)).status, 200, route);
  }
  t.is((await call('POST /platform/v22.0/3000/deregister', { json: {} })).status, 403);
});
