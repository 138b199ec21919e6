import test from 'ava';
import { recordCheck, recordPart, settlePart, takePart } from '../../../db/containers/parts.ts';
import { moveContainer } from '../../../db/containers/containers.ts';
import { containerStage } from '../../harness/containers/container-stage.ts';

const minuteAgo = () => new Date(Date.now() - 60_000);
const nextCheckAt = new Date(Date.now() + 3_600_000);

test('concurrent claims of a part succeed once', async (t) => {
  const { db, another, image } = await containerStage(t);
  const { id } = await image();
  const pools = [db, another()];
  const taken = await Promise.all(
    Array.from({ length: 8 }, (_, index) => takePart(pools[index % 2]!, { id, position: 0 })),
  );
  t.is(taken.filter(Boolean).length, 1);
});

test('a late create is not sent, except for a carousel parent', async (t) => {
  const { db, image, carousel } = await containerStage(t);
  const late = await image();
  const parent = await carousel();
  await db('media_containers').update({ create_by: minuteAgo() });
  t.false(await takePart(db, { id: late.id, position: 0 }));
  t.false(await takePart(db, { id: parent.id, position: 1 }));
  t.true(await takePart(db, { id: parent.id, position: 0 }));
  const expired = await carousel();
  await db('media_containers').where({ id: expired.id }).update({ expires_at: minuteAgo() });
  t.false(await takePart(db, { id: expired.id, position: 0 }));
});

test('an ended container sends no parts', async (t) => {
  const { db, carousel } = await containerStage(t);
  const { id } = await carousel();
  await moveContainer(db, { id, to: 'error', detail: 'children[0] was refused' });
  t.false(await takePart(db, { id, position: 2 }));
});

test('an accepted single container is in progress and checked immediately', async (t) => {
  const { db, image, read } = await containerStage(t);
  const container = await image();
  await takePart(db, { id: container.id, position: 0 });
  await recordPart(db, { id: container.id, position: 0, outcome: 'accepted', platformId: '17' });
  const { nextCheckAt: next, ...now } = await read(container);
  t.like(now, { status: 'in_progress', platformContainerId: '17', acceptance: 'accepted' });
  t.true(next!.getTime() <= Date.now());
});

test('a carousel stays creating until its parent is accepted', async (t) => {
  const { db, carousel, read } = await containerStage(t);
  const container = await carousel();
  const { id } = container;
  const statuses: unknown[] = [];
  for (const position of [1, 2, 0]) {
    await takePart(db, { id, position });
    await recordPart(db, { id, position, outcome: 'accepted', platformId: `7${position}` });
    const { status, acceptance, platformContainerId } = await read(container);
    statuses.push([status, acceptance, platformContainerId]);
  }
  t.deepEqual(statuses, [
    ['creating', null, null],
    ['creating', 'accepted', null],
    ['in_progress', 'accepted', '70'],
  ]);
});

for (const [outcome, status] of [
  ['rejected', 'error'],
  ['lost', 'unknown'],
] as const) {
  for (const position of [0, 2]) {
    test(`a part ${position} that is ${outcome} makes the container ${status}`, async (t) => {
      const { db, image, carousel, read } = await containerStage(t);
      const container = await (position === 0 ? image() : carousel());
      await takePart(db, { id: container.id, position });
      await recordPart(db, { id: container.id, position, outcome, detail: 'why' });
      const now = await read(container);
      t.like(now, { status, statusDetail: 'why', acceptance: outcome });
      t.deepEqual(now.nextCheckAt, status === 'unknown' ? now.expiresAt : null);
    });
  }
}

test('a late response replaces a lost one, and nothing replaces a response', async (t) => {
  const { db, image, read } = await containerStage(t);
  const lost = async () => {
    const container = await image();
    await takePart(db, { id: container.id, position: 0 });
    await settlePart(db, { id: container.id, position: 0 });
    return container;
  };
  const accepted = await lost();
  await recordPart(db, { id: accepted.id, position: 0, outcome: 'accepted', platformId: '17' });
  const rejected = await lost();
  await recordPart(db, { id: rejected.id, position: 0, outcome: 'rejected', detail: 'why' });
  for (const outcome of ['lost', 'rejected', 'accepted'] as const) {
    for (const { id } of [accepted, rejected]) await recordPart(db, { id, position: 0, outcome, platformId: '18' });
  }
  t.like(await read(accepted), { status: 'in_progress', platformContainerId: '17', acceptance: 'accepted' });
  t.like(await read(rejected), { status: 'error', statusDetail: 'why', acceptance: 'rejected' });
});

test('a late response to an ended container changes no status', async (t) => {
  const { db, image, read } = await containerStage(t);
  const container = await image();
  await takePart(db, { id: container.id, position: 0 });
  await settlePart(db, { id: container.id, position: 0 });
  await moveContainer(db, { id: container.id, to: 'expired' });
  await recordPart(db, { id: container.id, position: 0, outcome: 'accepted', platformId: '17' });
  t.like(await read(container), { status: 'expired' });
});

test('a late response fails a carousel whose other part was not sent', async (t) => {
  const { db, carousel, read } = await containerStage(t);
  const container = await carousel();
  const { id } = container;
  await takePart(db, { id, position: 1 });
  for (const position of [1, 2]) await settlePart(db, { id, position });
  t.like(await read(container), { status: 'unknown' });
  await recordPart(db, { id, position: 1, outcome: 'accepted', platformId: '71' });
  t.like(await read(container), { status: 'error', statusDetail: 'children[1] was not sent to the platform.' });
});

test('a carousel continues once the last lost response has arrived', async (t) => {
  const { db, another, carousel, read } = await containerStage(t);
  const container = await carousel();
  const { id } = container;
  for (const position of [1, 2]) await takePart(db, { id, position });
  for (const position of [1, 2]) await settlePart(db, { id, position });
  t.like(await read(container), { status: 'unknown' });
  await recordPart(db, { id, position: 1, outcome: 'accepted', platformId: '71' });
  t.like(await read(container), { status: 'unknown' });
  await recordPart(db, { id, position: 2, outcome: 'accepted', platformId: '72' });
  t.like(await read(container), { status: 'creating', acceptance: 'accepted' });
  t.true(await takePart(db, { id, position: 0 }));

  const other = another();
  for (let round = 0; round < 10; round++) {
    const both = await carousel();
    for (const position of [1, 2]) await takePart(db, { id: both.id, position });
    for (const position of [1, 2]) await settlePart(db, { id: both.id, position });
    await Promise.all(
      [db, other].map((on, index) =>
        recordPart(on, { id: both.id, position: index + 1, outcome: 'accepted', platformId: `8${index}` }),
      ),
    );
    t.like(await read(both), { status: 'creating' });
  }
});

test('settlePart marks sent parts as lost and others as unsent', async (t) => {
  const { db, image, read } = await containerStage(t);
  const sent = await image();
  await takePart(db, { id: sent.id, position: 0 });
  await settlePart(db, { id: sent.id, position: 0 });
  t.like(await read(sent), { status: 'unknown', acceptance: 'lost' });
  t.regex((await read(sent)).statusDetail!, /answer was lost/);
  const unsent = await image();
  await settlePart(db, { id: unsent.id, position: 0 });
  t.like(await read(unsent), { status: 'error', acceptance: 'not_sent' });
  t.regex((await read(unsent)).statusDetail!, /not sent/);
  t.false(await takePart(db, { id: unsent.id, position: 0 }));
});

test('settlePart ignores a part that has an outcome', async (t) => {
  const { db, image, row } = await containerStage(t);
  const container = await image({ status: 'in_progress' });
  const before = await row(container);
  await settlePart(db, { id: container.id, position: 0 });
  t.deepEqual(await row(container), before);
});

test('a concurrent claim and settlement agree whether the part was sent', async (t) => {
  const { db, another, image, read } = await containerStage(t);
  const other = another();
  for (let round = 0; round < 10; round++) {
    const container = await image();
    const key = { id: container.id, position: 0 };
    const [taken] = await Promise.all([takePart(db, key), settlePart(other, key)]);
    t.is((await read(container)).acceptance, taken ? 'lost' : 'not_sent');
  }
});

test('a check is recorded, and a finished container waits for its expiry', async (t) => {
  const { db, image, read } = await containerStage(t);
  const container = await image({ status: 'in_progress' });
  const check = { id: container.id, position: 0, detail: null, nextCheckAt };
  await recordCheck(db, { ...check, state: 'in_progress' });
  const still = await read(container);
  t.is(still.status, 'in_progress');
  t.deepEqual(still.nextCheckAt, nextCheckAt);
  t.true(still.checkedAt instanceof Date);
  await recordCheck(db, { ...check, state: 'finished' });
  const done = await read(container);
  t.is(done.status, 'finished');
  t.deepEqual(done.nextCheckAt, done.expiresAt);
});

for (const state of ['published', 'error', 'expired'] as const) {
  for (const status of ['in_progress', 'finished'] as const) {
    test(`a ${status} container becomes ${state} if the platform reports ${state}`, async (t) => {
      const { db, image, read } = await containerStage(t);
      const container = await image({ status });
      await recordCheck(db, { id: container.id, position: 0, state, detail: 'the words', nextCheckAt });
      t.like(await read(container), { status: state, statusDetail: 'the words' });
    });
  }
}

test('a check never changes a publishing container or reverts a status', async (t) => {
  const { db, image, read } = await containerStage(t);
  const publishing = await image({ status: 'publishing' });
  const finished = await image({ status: 'finished' });
  const published = await image({ status: 'published' });
  for (const state of ['in_progress', 'finished', 'error', 'published'] as const) {
    await recordCheck(db, { id: publishing.id, position: 0, state, detail: null, nextCheckAt });
    t.is((await read(publishing)).status, 'publishing');
    await recordCheck(db, { id: published.id, position: 0, state, detail: null, nextCheckAt });
    t.is((await read(published)).status, 'published');
  }
  await recordCheck(db, { id: finished.id, position: 0, state: 'in_progress', detail: null, nextCheckAt });
  t.is((await read(finished)).status, 'finished');
});

test('a failed child fails its carousel; a finished child does not', async (t) => {
  const { db, carousel, read } = await containerStage(t);
  const container = await carousel();
  const check = { id: container.id, nextCheckAt, detail: 'Error: 2207026' };
  await recordCheck(db, { ...check, position: 1, state: 'finished' });
  t.is((await read(container)).status, 'creating');
  await recordCheck(db, { ...check, position: 2, state: 'error' });
  t.like(await read(container), { status: 'error', statusDetail: 'children[1]: Error: 2207026' });
});
