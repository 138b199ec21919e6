import test from 'ava';
import { type CallMethod, subjectRules, type SubjectKind } from '../../platform/ownership/edges.ts';
import { seededIds } from '../../simulator/content/seed.ts';
import { startPlatform } from '../../simulator/platform.ts';
import { callApi, type Answer } from './api-server.ts';

const number = '100000000000001';
const business = '400000000000002';
const demo = seededIds('001');

/** Objects of each kind. An edge of only some objects, such as the replies to a comment, needs one that has it. */
async function seeded(url: string): Promise<Readonly<Record<SubjectKind, readonly string[]>>> {
  const get = async (path: string) => (await callApi('GET', `${url}/v25.0/${path}`)).body;
  const post = async (path: string, fields: Record<string, string | File>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const encoded = new Response(form);
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
    const body = Buffer.from(await encoded.arrayBuffer());
    return (await callApi('POST', `${url}/v25.0/${path}`, { headers, body })).body.id as string;
  };
  const image = 'https://media.example/photo.jpg';
  const container = await post(`${demo.photoId}/media`, { image_url: image });
  const photo = await post(`${demo.pageId}/photos`, { url: image });
  const video = await post(`${demo.pageId}/videos`, { file_url: 'https://media.example/film.mp4' });
  const albums = await get(`${demo.pageId}/albums`);
  const templates = await get(`${business}/message_templates`);
  const messages = await get(`${demo.pageThread(1)}/messages`);
  const file = new File(['bread'], 'bread.txt', { type: 'text/plain' });
  return {
    number: [number],
    business: [business],
    file: [await post(`${number}/media`, { messaging_product: 'chatapp', type: 'text/plain', file })],
    template: [templates.data[0].id],
    photo_account: [demo.photoId],
    photo_object: [demo.mediaId(1), demo.photoCommentId(1), container],
    page: [demo.pageId],
    page_object: [
      demo.postId(1),
      demo.pageCommentId(1),
      photo,
      video,
      ...(albums.data ?? []).map(({ id }: { id: string }) => id),
    ],
    thread: [demo.pageThread(1), demo.photoThread(1)],
    message: [messages.data[0].id],
  };
}

const calls = Object.entries(subjectRules).flatMap(([kind, { methods, edges }]) =>
  // The object itself comes last, because its calls may delete it.
  [...Object.entries(edges).map(([edge, rule]) => ({ edge: `/${edge}`, ...rule })), { edge: '', methods }].flatMap(
    (each) => each.methods.map((method: CallMethod) => ({ kind: kind as SubjectKind, method, edge: each.edge })),
  ),
);

const isUnknown = ({ status, body }: Answer): boolean => status === 404 || body.error?.error_subcode === 33;

test('the simulator serves every edge that the gateway lists', async (t) => {
  const platform = await startPlatform({ port: 0, appSecret: 's', webhookUrl: 'http://127.0.0.1:1/' });
  t.teardown(() => platform.stop());
  const objects = await seeded(platform.url);
  const unknown: string[] = [];
  const album = objects.page_object.at(-1) ?? '';
  t.like((await callApi('GET', `${platform.url}/v25.0/${album}`)).body, { id: album, name: 'Timeline photos' });
  for (const { kind, method, edge } of calls) {
    const answers = [];
    for (const id of objects[kind]) answers.push(await callApi(method, `${platform.url}/v25.0/${id}${edge}`));
    if (answers.every(isUnknown)) unknown.push(`${method} ${kind}${edge}`);
  }
  t.true(calls.length > 100);
  t.deepEqual(unknown, []);
});
