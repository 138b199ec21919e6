import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import type { StartedContainer } from '../../../contract/containers/workflow.ts';
import type { PartOutcome } from '../../../contract/containers/status.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { channelStage } from '../../harness/api/stages.ts';
import { carouselBody, imageBody, settleCreate } from '../../harness/containers/containers.ts';
import { aChannel } from '../../harness/tenants.ts';

type Settle = (db: Knex, container: StartedContainer) => Promise<unknown>;

const settling = (settle: Settle, state: 'ended' | 'unknown' = 'ended') => {
  const starts: StartedContainer[] = [];
  const temporal = (db: Knex): Partial<WorkflowStarts> => ({
    createContainer: async (container) => {
      starts.push(container);
      await settle(db, container);
      return state === 'ended' ? { state, result: 'accepted' } : { state, cause: new Error('no answer') };
    },
  });
  return { starts, temporal };
};

const to =
  (outcome: PartOutcome, detail?: string, position?: number): Settle =>
  (db, { containerId }) =>
    settleCreate(db, containerId, {
      outcome,
      ...(detail !== undefined && { detail }),
      ...(position !== undefined && { position }),
    });

async function aStage(t: ExecutionContext, temporal?: (db: Knex) => Partial<WorkflowStarts>) {
  const api = await channelStage(t, { ...(temporal && { starts: temporal }), type: 'photoapp' });
  const { key, channel } = api;
  const path = `/channels/${channel.publicId}/photoapp/containers`;
  const withKey = (idempotencyKey: string) => ({ key, headers: { 'idempotency-key': idempotencyKey } });
  const rows = (): Promise<Record<string, unknown>[]> => api.db('media_containers').orderBy('id');
  return { ...api, path, route: `POST ${path}`, withKey, rows };
}

test('creating an accepted container returns its id and location', async (t) => {
  const { starts, temporal } = settling(to('accepted'));
  const { call, channel, workspace, key, path, route } = await aStage(t, temporal);

  const { status, headers, body } = await call(route, { key, body: { ...imageBody, autoPublish: true } });

  t.is(status, 201);
  t.deepEqual(Object.keys(body), ['channelId', 'containerId']);
  t.is(body.channelId, channel.publicId);
  t.is(headers.get('location'), `${path}/${body.containerId}`);
  t.like((await call(`GET ${headers.get('location')}`, { key })).body, {
    containerId: body.containerId,
    status: 'in_progress',
    mediaType: 'IMAGE',
    caption: 'Hello',
    children: null,
    mediaId: null,
    publishedAt: null,
  });
  t.like(starts[0], {
    containerId: body.containerId,
    channelId: channel.publicId,
    workspaceId: workspace.publicId,
    mediaType: 'IMAGE',
    childCount: 0,
    autoPublish: true,
    status: 'creating',
  });
});

test('a carousel is created and shown with its accepted children', async (t) => {
  const { temporal } = settling(to('accepted'));
  const { call, key, path, route } = await aStage(t, temporal);
  const { status, body } = await call(route, { key, body: carouselBody });
  t.is(status, 201);
  t.like((await call(`GET ${path}/${body.containerId}`, { key })).body, {
    status: 'creating',
    platformContainerId: null,
    children: [
      { index: 0, imageUrl: 'https://media.example.com/1.jpg', videoUrl: null, status: 'in_progress' },
      { index: 1, imageUrl: null, videoUrl: 'https://media.example.com/2.mp4', status: 'in_progress' },
    ],
  });
});

test('a refused child is reported with its index', async (t) => {
  const { temporal } = settling(to('rejected', 'children[1] was refused: 36003 Aspect ratio', 2));
  const { call, refused, key, route } = await aStage(t, temporal);
  const { body, headers } = await refused('PLATFORM_REJECTED', route, { key, body: carouselBody });
  t.is(body.message, 'children[1] was refused: 36003 Aspect ratio');
  const shown = (await call(`GET ${headers.get('location')}`, { key })).body;
  t.like(shown, { status: 'error', statusDetail: body.message });
  t.deepEqual(fieldsOf(shown.children, 'status'), ['error', 'error']);
});

test('a create with a lost answer reports container, location and advice', async (t) => {
  const { temporal } = settling(to('lost', 'The answer was lost.'));
  const { call, refused, key, path, route } = await aStage(t, temporal);
  const { body, headers } = await refused('PLATFORM_OUTCOME_UNKNOWN', route, { key, body: imageBody });
  const containerId = /ctr_\w{8}/.exec(body.message)?.[0];
  t.is(headers.get('location'), `${path}/${containerId}`);
  t.regex(body.message, /Do not repeat this blindly: look at the account/);
  t.is((await call(`GET ${path}/${containerId}`, { key })).body.status, 'unknown');
});

test('a container that was not sent in time is reported as unsent', async (t) => {
  const { temporal } = settling(to('not_sent', 'The container was not sent to the platform.'));
  const { call, refused, key, path, route } = await aStage(t, temporal);
  const { body, headers } = await refused('WORKFLOW_UNAVAILABLE', route, { key, body: imageBody });
  t.regex(body.message, /was not sent.* Nothing was published/);
  t.truthy(headers.get('retry-after'));
  t.regex(headers.get('location') ?? '', new RegExp(`^${path}/ctr_\\w{8}$`));
  t.is((await call(`GET ${headers.get('location')}`, { key })).body.status, 'error');
});

test('the row decides if the workflow does not answer', async (t) => {
  const { temporal } = settling(to('accepted'), 'unknown');
  const { call, key, route } = await aStage(t, temporal);
  t.is((await call(route, { key, body: imageBody })).status, 201);
});

test('an unanswered create is unknown, and its repeat returns the container', async (t) => {
  const { starts, temporal } = settling(async (db, container) => {
    if (starts.length > 1) await to('accepted')(db, container);
  }, 'unknown');
  const { call, refused, withKey, path, route } = await aStage(t, temporal);
  const { body, headers } = await refused('PLATFORM_OUTCOME_UNKNOWN', route, { ...withKey('one'), body: imageBody });
  const containerId = /ctr_\w{8}/.exec(body.message)?.[0];
  t.is(headers.get('location'), `${path}/${containerId}`);
  t.deepEqual((await call(route, { ...withKey('one'), body: imageBody })).body.containerId, containerId);
});

test('a create during a Temporal outage sends nothing and releases the key', async (t) => {
  const { call, refused, db, withKey, rows, route } = await aStage(t);
  const { headers } = await refused('WORKFLOW_UNAVAILABLE', route, { ...withKey('one'), body: imageBody });
  t.is((await call(`GET ${headers.get('location')}`, withKey('one'))).body.status, 'error');
  await refused('WORKFLOW_UNAVAILABLE', route, { ...withKey('one'), body: { ...imageBody, caption: 'Other' } });
  t.deepEqual(fieldsOf(await rows(), 'status'), ['error', 'error']);
  t.deepEqual(await db('container_parts').distinct('outcome').pluck('outcome'), ['not_sent']);
});

test('a container sent to the platform is never reported as not started', async (t) => {
  const temporal = (db: Knex): Partial<WorkflowStarts> => ({
    createContainer: async ({ containerId }) => {
      await settleCreate(db, containerId, { outcome: 'accepted' });
      return { state: 'not_started', cause: undefined };
    },
  });
  const { call, key, route } = await aStage(t, temporal);
  t.is((await call(route, { key, body: imageBody })).status, 201);
});

test('a container requires a connected photoapp channel', async (t) => {
  const { refused, db, workspace, key, channel, rows, route } = await aStage(t);
  const other = await aChannel(db, workspace, { type: 'pageapp' });
  await refused('CHANNEL_TYPE_MISMATCH', `POST /channels/${other.publicId}/photoapp/containers`, {
    key,
    body: imageBody,
  });
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  await refused('CHANNEL_DISCONNECTED', route, { key, body: imageBody });
  t.is((await rows()).length, 0);
});

test('all errors of a body are reported together', async (t) => {
  const { refused, key, rows, route } = await aStage(t);
  const { body } = await refused('VALIDATION_ERROR', route, {
    key,
    body: {
      mediaType: 'CAROUSEL',
      imageUrl: 'http://media.example.com/1.jpg',
      caption: 7,
      thumbOffset: -1,
      children: [{ imageUrl: 'https://10.0.0.1/1.jpg', videoUrl: 'https://media.example.com/2.mp4' }],
      surprise: true,
    },
  });
  for (const field of ['imageUrl', 'caption', 'thumbOffset', 'children', 'children.0', 'surprise']) {
    t.true(body.message.includes(`body.${field}:`), `${field}: ${body.message}`);
  }
  t.is((await rows()).length, 0);
});
