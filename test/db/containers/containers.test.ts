import test from 'ava';
import { type ContainerStatus, containerStatuses } from '../../../contract/containers/status.ts';
import { takePart } from '../../../db/containers/parts.ts';
import { abandonCreate, endUnknown, moveContainer } from '../../../db/containers/containers.ts';
import { containerMoves } from '../../harness/containers/container-moves.ts';
import { containerStage } from '../../harness/containers/container-stage.ts';
import { carouselBody, imageBody, setContainer } from '../../harness/containers/containers.ts';
import { overdueRows } from '../../harness/database/overdue-rows.ts';
import { aChannel } from '../../harness/tenants.ts';
import { pluck } from '../../harness/pluck.ts';
import { untilBlockedByLock } from '../../harness/deliveries/hot-ledger.ts';

for (const from of containerStatuses) {
  test(`moveContainer allows only the declared transitions from ${from}`, async (t) => {
    const { db, image, row } = await containerStage(t);
    for (const to of containerStatuses) {
      const container = await image({ status: from });
      const may = containerMoves[from].split(' ').includes(to);
      const before = await row(container);
      t.is(await moveContainer(db, { id: container.id, to, detail: 'why' }), may, to);
      const after = await row(container);
      if (may) t.like(after, { status: to, status_detail: 'why' });
      else t.deepEqual(after, before);
    }
  });
}

test('a final status sets the end and clears the next check', async (t) => {
  const { db, image, row } = await containerStage(t);
  for (const to of ['published', 'error', 'expired'] as const) {
    const container = await image({ status: 'in_progress' });
    await moveContainer(db, { id: container.id, to });
    const { ended_at: endedAt, next_check_at: nextCheckAt, published_at: publishedAt } = await row(container);
    t.true(endedAt instanceof Date);
    t.is(nextCheckAt, null);
    t.is(publishedAt instanceof Date, to === 'published');
  }
});

test('moveContainer can restrict the allowed source statuses', async (t) => {
  const { db, image } = await containerStage(t);
  const { id } = await image({ status: 'publishing' });
  const from: ContainerStatus[] = ['in_progress', 'finished', 'published'];
  t.false(await moveContainer(db, { id, to: 'expired', from }));
  t.true(await moveContainer(db, { id, to: 'expired', from: [...from, 'publishing'] }));
});

test('an unresolved publish ends unknown and stays unknown', async (t) => {
  const { db, image, read } = await containerStage(t);
  const container = await image({ status: 'publishing' });
  t.true(await endUnknown(db, { id: container.id, detail: 'no answer' }));
  t.false(await moveContainer(db, { id: container.id, to: 'expired' }));
  t.like(await read(container), { status: 'unknown', statusDetail: 'no answer', nextCheckAt: null });
});

test('concurrent requests with one key create one container', async (t) => {
  const { db, another, insertWithKey } = await containerStage(t);
  const pools = [db, another()];
  for (let round = 0; round < 5; round++) {
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, index) => insertWithKey(pools[index % 2]!, { key: `k${round}` })),
    );
    t.is(made.filter(({ kind }) => kind === 'created').length, 1);
    t.is(new Set(made.map(({ container }) => container.publicId)).size, 1);
    t.true(made.every(({ sameRequest }) => sameRequest));
  }
  t.is((await db('media_containers')).length, 5);
  t.is((await db('container_parts')).length, 5);
});

test('a known key distinguishes a repeat from another request', async (t) => {
  const { db, insertWithKey } = await containerStage(t);
  const first = await insertWithKey(db, { key: 'k' });
  const other = await insertWithKey(db, { key: 'k', body: { ...imageBody, caption: 'Other' } });
  t.like(other, { kind: 'known', sameRequest: false });
  t.is(other.container.publicId, first.container.publicId);
});

test('idempotency keys are scoped to the channel', async (t) => {
  const { db, tenant, insertWithKey } = await containerStage(t);
  const other = await aChannel(db, tenant.workspace, { type: 'photoapp' });
  const first = await insertWithKey(db, { key: 'k' });
  const second = await insertWithKey(db, { key: 'k', channelId: other.id });
  t.is(second.kind, 'created');
  t.not(second.container.publicId, first.container.publicId);
});

test('a carousel has a part for itself and one per child', async (t) => {
  const { image, carousel } = await containerStage(t);
  t.deepEqual(
    (await image()).parts.map(({ position, sent, outcome }) => [position, sent, outcome]),
    [[0, false, null]],
  );
  const { parts, childCount } = await carousel();
  t.is(childCount, carouselBody.children.length);
  t.deepEqual(pluck(parts, 'position'), [0, 1, 2]);
});

test('an abandoned create is never sent and frees its key', async (t) => {
  const { db, insertWithKey, read } = await containerStage(t);
  const { container } = await insertWithKey(db, { key: 'k' });
  t.true(await abandonCreate(db, container));
  t.false(await takePart(db, { id: container.id, position: 0 }));
  t.like(await read(container), { status: 'error', acceptance: 'not_sent' });
  t.is((await insertWithKey(db, { key: 'k' })).kind, 'created');
  t.false(await abandonCreate(db, container));
});

test('a create with a sent part cannot be abandoned', async (t) => {
  const { db, insertWithKey, carousel, read } = await containerStage(t);
  const { container } = await insertWithKey(db, { key: 'k' });
  await takePart(db, { id: container.id, position: 0 });
  t.false(await abandonCreate(db, container));
  t.is((await insertWithKey(db, { key: 'k' })).kind, 'known');
  const other = await carousel();
  await takePart(db, { id: other.id, position: 2 });
  t.false(await abandonCreate(db, other));
  t.like(await read(other), { status: 'creating' });
});

test('a create cannot be abandoned while a part is being claimed', async (t) => {
  const { db, another, image, part } = await containerStage(t);
  const container = await image();
  const abandoner = another();
  const claim = await db.transaction();
  t.true(await takePart(claim, { id: container.id, position: 0 }));
  const abandoned = abandonCreate(abandoner, container);
  await untilBlockedByLock(db);
  await claim.commit();
  t.false(await abandoned);
  t.is((await part(container))['outcome'], null);
});

test('only live containers are overdue, oldest first', async (t) => {
  const { db, image } = await containerStage(t);
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  const late = await image();
  const later = await image({ status: 'publishing' });
  const due = await image({ status: 'in_progress' });
  const ended = await image({ status: 'expired' });
  await setContainer(db, late.publicId, { status: 'creating', next_check_at: ago(9_000) });
  await setContainer(db, later.publicId, { status: 'publishing', next_check_at: ago(12_000) });
  await setContainer(db, due.publicId, { status: 'in_progress', next_check_at: ago(30) });
  await setContainer(db, ended.publicId, { status: 'expired', next_check_at: ago(9_000) });
  t.deepEqual(await overdueRows(db, 'carryContainer'), [later.publicId, late.publicId]);
});
