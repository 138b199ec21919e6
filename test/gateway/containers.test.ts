import test from 'ava';
import type { GatewayContainers } from '../../db/containers/gateway-containers.ts';
import { noSuchField, type Script, startStage } from './stage.ts';

const platformPath = '/platform/v25.0';
const photoAccount = { type: 'photoapp', resourceId: '2000', linkedResourceId: '1000' } as const;
const readable = (id: string): Script => ({
  [`GET /${id}`]: ({ query }) =>
    ['id,status_code', 'status_code'].includes(query.get('fields') ?? '')
      ? { json: { id, status_code: 'FINISHED' } }
      : noSuchField,
});
/** The channel's credential can read both containers, but its account created only the second. */
const script: Script = {
  ...readable('31'),
  ...readable('32'),
  'POST /2000/media': { json: { id: '32' } },
  'POST /2000/media_publish': { json: { id: '33' } },
};

/** Shared by several gateways, like the database. */
function sharedContainers(): GatewayContainers {
  const made = new Set<string>();
  return {
    record: async ({ accountId, platformIds }) => platformIds.forEach((id) => made.add(`${accountId}/${id}`)),
    isOwn: async ({ accountId, platformId }) => made.has(`${accountId}/${platformId}`),
  };
}

for (const [route, json] of [
  ['GET /31?fields=status_code', undefined],
  ['DELETE /31', undefined],
  ['POST /2000/media_publish', { creation_id: '31' }],
  ['POST /2000/media', { media_type: 'CAROUSEL', children: '32,31' }],
] as const) {
  test(`a readable container of another account is refused: ${route}`, async (t) => {
    for (const channel of [photoAccount, {}]) {
      const { call, seen } = await startStage(t, { channel, script });
      const answer = await call(route.replace(' ', ` ${platformPath}`), json ? { json } : {});
      t.deepEqual([answer.status, answer.body['code']], [403, 'PAGEAPP_SCOPE_DENIED'], answer.text);
      t.true(seen.every(({ method, query }) => method === 'GET' && !query.get('fields')?.includes('status_code')));
    }
  });
}

test('a container created by one gateway is accessible at others', async (t) => {
  for (const channel of [photoAccount, {}]) {
    const containers = sharedContainers();
    const one = await startStage(t, { channel, script, containers });
    const other = await startStage(t, { channel, script, containers });

    t.is(
      (await one.call(`POST ${platformPath}/2000/media`, { json: { image_url: 'https://x.example/1.jpg' } })).status,
      200,
    );

    for (const { call } of [one, other]) {
      const status = await call(`GET ${platformPath}/32?fields=status_code`);
      const published = await call(`POST ${platformPath}/2000/media_publish`, { json: { creation_id: '32' } });
      t.deepEqual([status.status, published.status], [200, 200], published.text);
    }
  }
});

test('a created container stays accessible if recording fails', async (t) => {
  const failing: GatewayContainers = {
    record: () => Promise.reject(new Error('The database is away')),
    isOwn: async () => false,
  };
  const { call, lines } = await startStage(t, { channel: photoAccount, script, containers: failing });

  const made = await call(`POST ${platformPath}/2000/media`, { json: { image_url: 'https://x.example/1.jpg' } });
  const published = await call(`POST ${platformPath}/2000/media_publish`, { json: { creation_id: '32' } });

  t.deepEqual([made.status, made.body['id'], published.status], [200, '32', 200]);
  t.true(lines.some(({ event }) => event === 'container.recordFailed'));
});

test('a listed id does not count as a created container', async (t) => {
  const containers = sharedContainers();
  const { call } = await startStage(t, {
    channel: photoAccount,
    containers,
    script: { 'GET /2000/media': { json: { data: [{ id: '41' }] } } },
  });

  await call(`GET ${platformPath}/2000/media`);

  t.false(await containers.isOwn({ channelId: 7, accountId: '2000', platformId: '41' }));
});

test('an id in a refusal does not count as a created container', async (t) => {
  const containers = sharedContainers();
  const refusal = { status: 400, json: { id: '41', error: { code: 100, message: 'Invalid parameter' } } };
  const { call } = await startStage(t, {
    channel: photoAccount,
    containers,
    script: { 'POST /2000/media': refusal },
  });

  const made = await call(`POST ${platformPath}/2000/media`, { json: { image_url: 'https://x.example/1.jpg' } });

  t.is(made.status, 400);
  t.false(await containers.isOwn({ channelId: 7, accountId: '2000', platformId: '41' }));
});
