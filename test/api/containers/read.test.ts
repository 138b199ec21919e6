import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { type ContainerStatus, containerMayBecome, containerStatuses } from '../../../contract/containers/status.ts';
import type { ContainerProgress } from '../../../workflows/messages/messages.ts';
import { noTemporal, testApi } from '../../harness/api/api.ts';
import { aContainer, setContainer } from '../../harness/containers/containers.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

type Progress = (containerId: string, db: Knex) => Promise<ContainerProgress | undefined>;

async function aStage(t: ExecutionContext, progress: Progress = () => Promise.resolve(undefined)) {
  const temporal = (db: Knex): WorkflowStarts => ({
    ...noTemporal,
    containerProgress: (containerId) => progress(containerId, db),
  });
  const api = await testApi(t, { starts: temporal });
  const { workspace, apiKey: key } = await aTenant(api.db);
  const channel = await aChannel(api.db, workspace, { type: 'photoapp' });
  const path = `/channels/${channel.publicId}/photoapp/containers`;
  const read = async (containerId: string) => (await api.call(`GET ${path}/${containerId}`, { key })).body;
  return { ...api, workspace, key, channel, path, read };
}

const later = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

test('a list is paged newest first and can be filtered by status', async (t) => {
  const { call, refused, db, workspace, key, channel, path } = await aStage(t);
  const ids: string[] = [];
  for (const status of ['finished', 'error', 'finished', 'published'] as const) {
    ids.unshift((await aContainer(db, { channel, workspace, status })).publicId);
  }
  const other = await aChannel(db, workspace, { type: 'photoapp' });
  const elsewhere = await aContainer(db, { channel: other, workspace });
  const idsOf = (body: { containers: { containerId: string }[] }) => body.containers.map((one) => one.containerId);

  const first = (await call(`GET ${path}?limit=3`, { key })).body;
  t.deepEqual(idsOf(first), ids.slice(0, 3));
  const second = (await call(`GET ${path}?limit=3&cursor=${first.nextCursor}`, { key })).body;
  t.deepEqual(idsOf(second), ids.slice(3));
  t.is(second.nextCursor, null);
  t.deepEqual(idsOf((await call(`GET ${path}?status=finished`, { key })).body), [ids[1]!, ids[3]!]);
  await refused('VALIDATION_ERROR', `GET ${path}?status=done`, { key });
  await refused('VALIDATION_ERROR', `GET ${path}?cursor=${elsewhere.publicId}`, { key });
});

test('a container of another channel of the workspace is not found', async (t) => {
  const { refused, db, workspace, key, path } = await aStage(t);
  const other = await aChannel(db, workspace, { type: 'photoapp' });
  const { publicId } = await aContainer(db, { channel: other, workspace });
  await refused('CONTAINER_NOT_FOUND', `GET ${path}/${publicId}`, { key });
  await refused('CONTAINER_NOT_FOUND', `POST ${path}/${publicId}/publish`, { key });
});

test("a running container is shown with its workflow's progress", async (t) => {
  const checkedAt = later(-1);
  const nextCheckAt = later(59);
  const { db, workspace, channel, read } = await aStage(t, () =>
    Promise.resolve({ status: 'in_progress', checkedAt, nextCheckAt }),
  );
  const { publicId } = await aContainer(db, { channel, workspace, status: 'in_progress' });
  t.like(await read(publicId), { status: 'in_progress', checkedAt, nextCheckAt });
});

test('the row is shown if the workflow does not answer', async (t) => {
  const { db, workspace, channel, read } = await aStage(t);
  const { publicId } = await aContainer(db, { channel, workspace, status: 'in_progress' });
  const checkedAt = later(-60);
  const nextCheckAt = later(60);
  await setContainer(db, publicId, { status: 'in_progress', checked_at: checkedAt, next_check_at: nextCheckAt });
  t.like(await read(publicId), { status: 'in_progress', checkedAt, nextCheckAt });
});

test('an ended container is read without its workflow', async (t) => {
  const { db, workspace, channel, read } = await aStage(t, () => Promise.reject(new Error('asked')));
  for (const status of ['published', 'error', 'expired'] as const) {
    const { publicId } = await aContainer(db, { channel, workspace, status });
    t.is((await read(publicId)).status, status);
  }
});

test('a container that ends during a read is shown with its result', async (t) => {
  const { db, workspace, channel, read } = await aStage(t, async (containerId, rows) => {
    await setContainer(rows, containerId, {
      status: 'published',
      media_id: '77',
      permalink: 'https://p.example.com/77',
    });
    return { status: 'published', checkedAt: null, nextCheckAt: null };
  });
  const { publicId } = await aContainer(db, { channel, workspace, status: 'publishing' });
  t.like(await read(publicId), {
    status: 'published',
    mediaId: '77',
    permalink: 'https://p.example.com/77',
    nextCheckAt: null,
  });
});

test('a continued run keeps the time of the last poll', async (t) => {
  const { db, workspace, channel, read } = await aStage(t, () =>
    Promise.resolve({ status: 'in_progress', checkedAt: null, nextCheckAt: null }),
  );
  const { publicId } = await aContainer(db, { channel, workspace, status: 'in_progress' });
  const checkedAt = later(-60);
  const nextCheckAt = later(60);
  await setContainer(db, publicId, { status: 'in_progress', checked_at: checkedAt, next_check_at: nextCheckAt });
  t.like(await read(publicId), { status: 'in_progress', checkedAt, nextCheckAt });
});

test("a workflow's answer never moves the status backwards", async (t) => {
  let reported: ContainerStatus = 'creating';
  const { db, workspace, channel, read } = await aStage(t, () =>
    Promise.resolve({ status: reported, checkedAt: null, nextCheckAt: null }),
  );
  for (const status of containerStatuses) {
    const { publicId } = await aContainer(db, { channel, workspace, status });
    for (reported of containerStatuses) {
      const isNewer = status !== 'unknown' && containerMayBecome(status, reported);
      const expected = isNewer ? reported : status;
      t.is((await read(publicId)).status, expected, `${status} in the row, ${reported} by the workflow`);
    }
  }
});
