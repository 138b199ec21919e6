import test, { type ExecutionContext } from 'ava';
import {
  MAX_DELAY_MS,
  type ScheduledKind,
  scheduledMessageStatuses,
  scheduledPostStatuses,
  type ScheduledStatus,
} from '../../../contract/scheduled/scheduled.ts';
import { endLostSend, failLate, findScheduledStart, readStanding, takeDueMessage } from '../../../db/scheduled/due.ts';
import { cancelScheduled, changeScheduled, endRestored, moveScheduled } from '../../../db/scheduled/move.ts';
import { contentColumns, insertScheduled, type NewScheduled } from '../../../db/scheduled/records.ts';
import { startDuePost } from '../../../db/scheduled/start-post.ts';
import { hashRecipient } from '../../../db/operations/recipient.ts';
import { requestOverdue } from '../../../db/workflow-starts/requested-starts.ts';
import { testAudit } from '../../harness/audit.ts';
import { removeAllExpired } from '../../harness/database/remove-expired.ts';
import { aScheduled, newScheduled, readScheduled, type SampleScheduled } from '../../harness/scheduled/scheduled.ts';
import { aChannel, testSecretBox } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const moves: Readonly<Record<ScheduledStatus, string>> = {
  scheduled: 'scheduled sending started failed unknown cancelled',
  sending: 'scheduled sent failed unknown',
  started: 'scheduled',
  sent: '',
  failed: '',
  unknown: 'sent failed',
  cancelled: '',
};
const statuses = { message: scheduledMessageStatuses, post: scheduledPostStatuses };
const idKinds = { message: 'scheduledMessage', post: 'scheduledPost' };
const HOUR_MS = 3_600_000;
const inMs = (ms: number): Date => new Date(Date.now() + ms);

async function scheduledStage(t: ExecutionContext, kind: ScheduledKind = 'message') {
  const { db, another, workspace } = await tenantDatabase(t);
  const channel = await aChannel(db, workspace, { type: kind === 'post' ? 'photoapp' : 'chatapp' });
  const other = another();
  const place = { channel, workspace };
  return {
    db,
    other,
    ...place,
    scheduled: async (sample: Partial<SampleScheduled> = {}) => await aScheduled(db, kind, { ...place, ...sample }),
    insert: async (on: typeof db, values: Partial<Pick<NewScheduled, 'max' | 'keyHash' | 'requestHash'>>) =>
      await insertScheduled(on, testSecretBox, { ...newScheduled(kind, place), ...values }),
  };
}

for (const kind of ['message', 'post'] as const) {
  for (const from of statuses[kind]) {
    test(`a ${kind} allows only the declared moves from ${from}`, async (t) => {
      const { db, scheduled } = await scheduledStage(t, kind);
      for (const to of statuses[kind]) {
        const before = await scheduled({ status: from });
        const may = moves[from].split(' ').includes(to);
        const move = { id: before.id, to, detail: 'why', containerPublicId: 'ctr_00000000' };
        t.is(await moveScheduled(db, move), may, to);
        const after = await readScheduled(db, before);
        if (may) t.like(after, { status: to, statusDetail: 'why' });
        else t.deepEqual(after, before);
      }
    });
  }

  test(`the end of a ${kind} erases its content`, async (t) => {
    const { db, scheduled } = await scheduledStage(t, kind);
    for (const to of kind === 'message'
      ? (['sent', 'failed', 'unknown'] as const)
      : (['failed', 'cancelled'] as const)) {
      const before = await scheduled({ status: kind === 'message' ? 'sending' : 'scheduled' });
      t.truthy(before.messageEncrypted ?? before.input);
      await moveScheduled(db, { id: before.id, to });
      const { messageEncrypted, input, endedAt } = await readScheduled(db, before);
      t.deepEqual([messageEncrypted, input, endedAt instanceof Date], [null, null, true]);
    }
  });

  for (const act of ['change', 'cancel'] as const) {
    test(`a ${kind} that begins during a ${act} has one winner`, async (t) => {
      const { db, other, scheduled } = await scheduledStage(t, kind);
      for (let round = 0; round < 10; round++) {
        const one = await scheduled();
        const steer = () =>
          act === 'change'
            ? changeScheduled(other, one, { dueAt: inMs(HOUR_MS), content: undefined, audit: testAudit })
            : cancelScheduled(other, one, testAudit);
        const begin = () => (kind === 'message' ? takeDueMessage(db, one) : startDuePost(db, one));
        const [first, second] = await Promise.all(round % 2 === 0 ? [begin(), steer()] : [steer(), begin()]);
        const [begun, steered] = round % 2 === 0 ? [first, second] : [second, first];
        t.is(begun === undefined, steered === true);
        const begins = kind === 'message' ? 'sending' : 'started';
        const expected = steered ? (act === 'change' ? 'scheduled' : 'cancelled') : begins;
        t.is((await readScheduled(db, one)).status, expected);
      }
    });
  }

  test(`a channel has a limited number of scheduled ${kind}s`, async (t) => {
    const { db, other, insert, scheduled } = await scheduledStage(t, kind);
    await scheduled({ status: 'cancelled' });
    const made = await Promise.all(Array.from({ length: 6 }, (_, index) => insert(index % 2 ? db : other, { max: 3 })));
    t.is(made.filter(({ outcome }) => outcome === 'created').length, 3);
    t.is(made.filter(({ outcome }) => outcome === 'too_many').length, 3);
  });

  test(`a repeated key returns the first ${kind}`, async (t) => {
    const { db, other, insert } = await scheduledStage(t, kind);
    const keyHash = Buffer.alloc(32, 'k');
    const made = await Promise.all([db, other, db, other].map((pool) => insert(pool, { keyHash })));
    t.deepEqual(made.map(({ outcome }) => outcome).sort(), ['created', 'repeated', 'repeated', 'repeated']);
    t.is((await insert(db, { keyHash, requestHash: Buffer.alloc(32, 'b') })).outcome, 'key_reused');
    t.is((await db('scheduled').pluck('id')).length, 1);
  });

  test(`a restore ends each ${kind} that may have gone since`, async (t) => {
    const { db, scheduled } = await scheduledStage(t, kind);
    const gone = [await scheduled(), ...(kind === 'message' ? [await scheduled({ status: 'sending' })] : [])];
    const future = await scheduled({ dueAt: inMs(HOUR_MS) });
    const cancelled = await scheduled({ status: 'cancelled' });
    await db('workflow_starts').delete();
    t.is((await endRestored(db))[`${kind}s`], gone.length);
    const status = kind === 'message' ? 'unknown' : 'failed';
    for (const one of gone) t.like(await readScheduled(db, one), { status, reason: 'restored', input: null });
    t.is((await readScheduled(db, future)).status, 'scheduled');
    t.is((await readScheduled(db, cancelled)).status, 'cancelled');
    const requested = await db('workflow_starts').pluck('subject_id');
    t.deepEqual(requested.sort(), [...gone, future].map(({ publicId }) => publicId).sort(), 'may have no workflow');
  });

  test(`a change of a ${kind} replaces the time and the content`, async (t) => {
    const { db, scheduled } = await scheduledStage(t, kind);
    const one = await scheduled();
    const dueAt = inMs(HOUR_MS);
    const message = { to: '+1 555 123 0002', text: 'New' };
    const columns = contentColumns(testSecretBox, {
      publicId: one.publicId,
      ...(kind === 'message' ? { kind, content: message } : { kind, content: { ...one.input!, caption: 'New' } }),
    });
    if ('recipientHash' in columns) t.deepEqual(columns.recipientHash, hashRecipient('15551230002'));
    t.true(await changeScheduled(db, one, { dueAt, content: columns, audit: testAudit }));
    t.like(await readScheduled(db, one), { dueAt, actAt: dueAt, ...columns });
    t.deepEqual(await db('audit_entries').orderBy('id').pluck('action'), [
      `${idKinds[kind]}.created`,
      `${idKinds[kind]}.changed`,
    ]);
  });
}

test('concurrent claims of a message succeed once', async (t) => {
  const { db, other, scheduled } = await scheduledStage(t);
  const due = await scheduled();
  const taken = await Promise.all([db, other, db, other, db, other].map((pool) => takeDueMessage(pool, due)));
  t.is(taken.filter((sealed) => sealed !== undefined).length, 1);
  t.like(await readScheduled(db, due), { status: 'sending', attempts: 1 });
});

test('a message is claimed neither before its time nor an hour after', async (t) => {
  const { db, scheduled } = await scheduledStage(t);
  for (const offsetMs of [60_000, -MAX_DELAY_MS]) {
    const one = await scheduled({ dueAt: inMs(offsetMs) });
    t.is(await takeDueMessage(db, one), undefined);
    t.is(await failLate(db, { id: one.id, detail: 'late' }), offsetMs < 0);
    t.like(
      await readScheduled(db, one),
      offsetMs < 0 ? { status: 'failed', reason: 'too_late', statusDetail: 'late' } : { status: 'scheduled' },
    );
  }
});

test('a claimed message without an outcome is lost after its deadline', async (t) => {
  const { db, scheduled } = await scheduledStage(t);
  const one = await scheduled();
  await takeDueMessage(db, one);
  await endLostSend(db, { id: one.id, detail: 'lost' });
  const { status, waitMs } = await readStanding(db, one);
  t.is(status, 'sending');
  t.true(waitMs! > 30_000, 'its call may still run');
  await db('scheduled').update({ act_at: new Date(0) });
  await endLostSend(db, { id: one.id, detail: 'lost' });
  t.deepEqual(await readStanding(db, one), { status: 'unknown', waitMs: null });
});

test('what is new, changed or cancelled requests its workflow', async (t) => {
  const { db, scheduled, channel, workspace } = await scheduledStage(t);
  const one = await scheduled({ dueAt: inMs(HOUR_MS) });
  const takeRequests = async () => {
    const requested = await db('workflow_starts').delete().returning(['type', 'subject_id']);
    return requested.map(({ type, subject_id }) => `${type} ${subject_id}`);
  };
  const { publicId: scheduledId } = one;
  const request = [`carryScheduled ${scheduledId}`];
  const place = { scheduledId, channelId: channel.publicId, workspaceId: workspace.publicId };
  t.deepEqual(await takeRequests(), request);
  t.deepEqual(await findScheduledStart(db, scheduledId), { ...place, dueAtMs: one.dueAt.getTime() });
  const dueAt = inMs(2 * HOUR_MS);
  await changeScheduled(db, one, { dueAt, content: undefined, audit: testAudit });
  t.deepEqual(await takeRequests(), request);
  t.like(await findScheduledStart(db, scheduledId), { dueAtMs: dueAt.getTime() });
  await cancelScheduled(db, one, testAudit);
  t.deepEqual(await takeRequests(), request);
  t.deepEqual(await findScheduledStart(db, scheduledId), { ...place, dueAtMs: null });
  t.is(await findScheduledStart(db, 'sm_00000000'), undefined);
});

test('what should have acted a minute ago requests its workflow', async (t) => {
  const { db, scheduled } = await scheduledStage(t);
  const lost = [
    await scheduled({ dueAt: inMs(-70_000) }),
    await scheduled({ status: 'sending', dueAt: inMs(-70_000) }),
  ];
  await scheduled({ dueAt: inMs(-10_000) });
  await scheduled({ status: 'sent', dueAt: inMs(-70_000) });
  await db('workflow_starts').delete();
  const requested = await requestOverdue(db, { type: 'carryScheduled', credentialRefreshMs: 0 });
  t.deepEqual(requested.sort(), lost.map(({ publicId }) => publicId).sort());
});

test('retention deletes what ended or started before it', async (t) => {
  const { db, scheduled, channel, workspace } = await scheduledStage(t);
  const post = async (sample: Partial<SampleScheduled>) =>
    await aScheduled(db, 'post', { channel, workspace, ...sample });
  const old = inMs(-10 * HOUR_MS);
  const ended = [await scheduled({ status: 'sent' }), await post({ status: 'cancelled' })];
  await db('scheduled')
    .whereIn(
      'id',
      ended.map(({ id }) => id),
    )
    .update({ ended_at: old });
  await post({ status: 'started', dueAt: old });
  const kept = [
    ...[await scheduled({ status: 'sent' }), await scheduled(), await post({ dueAt: old })],
    ...[await post({ status: 'started' }), await post({ status: 'cancelled' })],
  ];
  await db('scheduled').update({ created_at: new Date(0) });
  t.is(await removeAllExpired(db, 'scheduled', { cutoff: inMs(-HOUR_MS) }), 3);
  t.deepEqual(
    await db('scheduled').orderBy('id').pluck('public_id'),
    kept.map(({ publicId }) => publicId),
  );
});
