import test from 'ava';
import { requestStarts } from '../../../db/core/request-start.ts';
import { claimStarts, deleteStart, requestEach } from '../../../db/workflow-starts/requested-starts.ts';
import { testDatabase } from '../../harness/database/database.ts';

const types = ['eraseData', 'alertDigest'];

test('a requested start is claimed once, and again if it is lost', async (t) => {
  const { db } = await testDatabase(t);
  const claim = async () => (await claimStarts(db, { types, limit: 10 })).map(({ subjectId }) => subjectId);
  await db.transaction((trx) => requestStarts(trx, { type: 'eraseData', subjectIds: ['ers_1', 'ers_2'] }));
  await requestStarts(db, { type: 'eraseData', subjectIds: ['ers_3'], delayMs: 60_000 });
  await requestStarts(db, { type: 'sendNotification', subjectIds: ['of another release'] });
  const claims = (await Promise.all([claim(), claim(), claim()])).flat();
  t.deepEqual(claims.toSorted(), ['ers_1', 'ers_2'], 'not before it is due');
  t.deepEqual(await claim(), []);
  await db('workflow_starts').update({ due_at: new Date(0) });
  const [first, ...others] = await claimStarts(db, { types, limit: 10 });
  t.is(others.length, 2, 'a lost claim is due again');
  await deleteStart(db, first!.id);
  t.is((await db('workflow_starts')).length, 3);
});

test('a transaction that fails requests no start', async (t) => {
  const { db } = await testDatabase(t);
  const failing = db.transaction(async (trx) => {
    await requestStarts(trx, { type: 'eraseData', subjectIds: ['ers_1'] });
    throw new Error('not committed');
  });
  await t.throwsAsync(failing);
  t.deepEqual(await claimStarts(db, { types, limit: 10 }), []);
});

test('a repeated list requests each start once', async (t) => {
  const { db } = await testDatabase(t);
  const list = (...subjectIds: string[]) => requestEach(db, { type: 'alertDigest', subjectIds });
  t.deepEqual((await list('org_1', 'org_2')).toSorted(), ['org_1', 'org_2']);
  await requestStarts(db, { type: 'eraseData', subjectIds: ['org_3'] });
  t.deepEqual(await list('org_1', 'org_3'), ['org_3'], 'of the same type');
  t.deepEqual(await list(), []);
  await claimStarts(db, { types, limit: 10 });
  t.deepEqual(await list('org_1'), [], 'nor while it is started');
});
