import test, { type ExecutionContext } from 'ava';
import { requestHash } from '../../../api/routing/request-hash.ts';
import { scheduledMessageInput, scheduledPostInput } from '../../../openapi/scheduled/routes.ts';
import { imageBody } from '../../harness/containers/containers.ts';
import { platformStage } from '../../harness/operations/platform-stage.ts';
import { aTenant } from '../../harness/tenants.ts';

const DAY_MS = 86_400_000;
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const message = { to: '15551230001', text: 'Hello, later' };

const kinds = {
  message: {
    type: 'chatapp',
    path: '/scheduled-messages',
    input: scheduledMessageInput,
    id: 'scheduledMessageId',
    list: 'scheduledMessages',
    time: 'sendAt',
    field: 'message',
    content: message,
    changed: { to: '15551230002', text: 'New' },
    shown: { recipient: message.to, preview: message.text },
    inLists: { message: null },
    audit: 'scheduledMessage',
    unknownId: 'sm_00000000',
    otherStatus: 'sent',
    notFound: 'SCHEDULED_MESSAGE_NOT_FOUND',
    ended: 'MESSAGE_NOT_SCHEDULED',
    misfits: [
      ...[{}, { ...message, type: 'text' }, { to: message.to, type: 'text', access_token: 'x' }],
      ...[
        { to: message.to, type: 'text', method: 'DELETE' },
        { to: message.to, text: { body: 'no type' } },
      ],
      { to: message.to, text: 'x'.repeat(4_097) },
    ],
  },
  post: {
    type: 'photoapp',
    path: '/photoapp/scheduled-posts',
    input: scheduledPostInput,
    id: 'scheduledPostId',
    list: 'scheduledPosts',
    time: 'publishAt',
    field: 'container',
    content: imageBody,
    changed: { ...imageBody, caption: 'New' },
    shown: { containerId: null },
    inLists: {},
    audit: 'scheduledPost',
    unknownId: 'sp_00000000',
    otherStatus: 'started',
    notFound: 'SCHEDULED_POST_NOT_FOUND',
    ended: 'POST_NOT_SCHEDULED',
    misfits: [{}, { ...imageBody, mediaType: 'REELS' }, { ...imageBody, imageUrl: 'http://localhost/1.jpg' }],
  },
} as const;

async function scheduledStage(t: ExecutionContext, kind: keyof typeof kinds) {
  const of = kinds[kind];
  const stage = await platformStage(t, of.type);
  const bodyOf = (time: unknown = inMs(DAY_MS), content: object = of.content) => ({
    [of.time]: time,
    [of.field]: content,
  });
  const schedule = async (body: object = bodyOf(), headers = {}) =>
    await stage.ok(`POST ${of.path}`, body, { headers });
  const count = async (): Promise<number> => (await stage.db('scheduled').pluck('id')).length;
  return { ...stage, ...of, bodyOf, schedule, count };
}

for (const kind of ['message', 'post'] as const) {
  test(`a scheduled ${kind} is listed, changed and cancelled`, async (t) => {
    const stage = await scheduledStage(t, kind);
    const { bodyOf, schedule, ok, call, db, channel, calls, path, id, list, time, field, content } = stage;
    const dueAt = inMs(DAY_MS);
    const scheduled = await schedule(bodyOf(dueAt));
    const at = `${path}/${scheduled[id]}`;
    const expected = {
      ...stage.shown,
      channelId: channel.publicId,
      status: 'scheduled',
      [time]: dueAt,
      [field]: content,
    };
    t.like(scheduled, expected);
    t.deepEqual(await ok(`GET ${at}`), scheduled);
    const listed = await ok(`GET ${path}?status=scheduled&limit=1`);
    t.deepEqual(listed, { [list]: [{ ...scheduled, ...stage.inLists }], nextCursor: null });
    t.deepEqual((await ok(`GET ${path}?status=${stage.otherStatus}`))[list], []);

    const changed = bodyOf(inMs(2 * DAY_MS), stage.changed);
    t.like(await ok(`PATCH ${at}`, changed), { ...changed, status: 'scheduled' });
    const cancels = await Promise.all([1, 2, 3].map(() => ok(`POST ${at}/cancel`)));
    for (const cancel of cancels) t.like(cancel, { status: 'cancelled', [field]: null });
    t.like(await ok(`POST ${at}/cancel`), { status: 'cancelled' });
    const late = await call(`PATCH ${at}`, { [time]: dueAt });
    t.deepEqual([late.status, late.body.code], [409, stage.ended]);
    t.deepEqual(
      await db('audit_entries').where({ target_id: scheduled[id] }).orderBy('id').pluck('action'),
      ['created', 'changed', 'cancelled'].map((what) => `${stage.audit}.${what}`),
    );
    t.deepEqual(calls, [], 'nothing was sent');
    t.is((await db('media_containers')).length, 0);
  });

  test(`scheduling a ${kind} answers 202 with its address`, async (t) => {
    const { call, bodyOf, channel, path, id } = await scheduledStage(t, kind);
    const answer = await call(`POST ${path}`, bodyOf(inMs(0)));
    t.is(answer.status, 202);
    t.is(answer.headers.get('location'), `/channels/${channel.publicId}${path}/${answer.body[id]}`);
  });

  test(`times and content of a ${kind} are checked before it is stored`, async (t) => {
    const stage = await scheduledStage(t, kind);
    const { expectRefusal, schedule, bodyOf, path, id, time, field } = stage;
    const at = `${path}/${(await schedule())[id]}`;
    for (const wrong of [inMs(-120_000), inMs(90 * DAY_MS + 60_000), '2027-01-01', 'soon', 1, null]) {
      t.regex(await expectRefusal('VALIDATION_ERROR', `POST ${path}`, bodyOf(wrong)), new RegExp(time));
      await expectRefusal('VALIDATION_ERROR', `PATCH ${at}`, { [time]: wrong });
    }
    for (const wrong of stage.misfits) {
      await expectRefusal('VALIDATION_ERROR', `POST ${path}`, bodyOf(undefined, wrong));
      await expectRefusal('VALIDATION_ERROR', `PATCH ${at}`, { [field]: wrong });
    }
    const { [time]: dueAt, [field]: content } = bodyOf();
    for (const body of [{ [time]: dueAt }, { [field]: content }, { ...bodyOf(), more: 1 }])
      await expectRefusal('VALIDATION_ERROR', `POST ${path}`, body);
    for (const body of [{}, { status: 'cancelled' }]) await expectRefusal('VALIDATION_ERROR', `PATCH ${at}`, body);
    t.is(await stage.count(), 1);
  });

  test(`a repeated Idempotency-Key schedules one ${kind}`, async (t) => {
    const { schedule, expectRefusal, bodyOf, count, path } = await scheduledStage(t, kind);
    const headers = { 'idempotency-key': 'later-1' };
    const body = bodyOf();
    const first = await schedule(body, headers);
    t.deepEqual(await schedule(body, headers), first);
    await expectRefusal('IDEMPOTENCY_KEY_REUSED', `POST ${path}`, bodyOf(inMs(2 * DAY_MS)), { headers });
    t.is(await count(), 1);
  });

  test(`a repeat gets the first ${kind} after its time and a disconnect`, async (t) => {
    const stage = await scheduledStage(t, kind);
    const { schedule, expectRefusal, bodyOf, db, channel, workspace, path, id, time } = stage;
    const headers = { 'idempotency-key': 'later-1' };
    const first = await schedule(bodyOf(), headers);
    // The stored request is the repeated one, whose time has passed since.
    const past = bodyOf(inMs(-120_000));
    const hash = requestHash({ workspaceId: workspace.id, body: stage.input.parse(past) });
    await db('scheduled').update({ due_at: past[time], request_hash: hash });
    await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
    t.is((await schedule(past, headers))[id], first[id]);
    await expectRefusal('IDEMPOTENCY_KEY_REUSED', `POST ${path}`, bodyOf(), { headers });
    await expectRefusal('CHANNEL_DISCONNECTED', `POST ${path}`, bodyOf());
    t.is(await stage.count(), 1);
  });

  test(`a ${kind} of another workspace is not found`, async (t) => {
    const { schedule, ok, expectRefusal, db, path, id, list, ...of } = await scheduledStage(t, kind);
    const at = `${path}/${(await schedule())[id]}`;
    await expectRefusal(of.notFound, `GET ${path}/${of.unknownId}`);
    await db('scheduled').update({ workspace_id: (await aTenant(db)).workspace.id });
    await expectRefusal(of.notFound, `POST ${at}/cancel`);
    t.deepEqual((await ok(`GET ${path}`))[list], []);
  });

  test(`the list of scheduled ${kind}s has pages`, async (t) => {
    const { schedule, ok, expectRefusal, path, id, list, unknownId } = await scheduledStage(t, kind);
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.unshift((await schedule())[id]);
    const first = await ok(`GET ${path}?limit=2`);
    const second = await ok(`GET ${path}?limit=2&cursor=${first.nextCursor}`);
    const listed = [...first[list], ...second[list]];
    t.deepEqual(
      listed.map((one) => one[id]),
      ids,
    );
    t.is(second.nextCursor, null);
    await expectRefusal('VALIDATION_ERROR', `GET ${path}?cursor=${unknownId}`);
  });
}

test('the content of a message is sealed in the database', async (t) => {
  const { schedule, db } = await scheduledStage(t, 'message');
  await schedule();
  const rows = JSON.stringify(await db('scheduled'));
  t.false(rows.includes(message.text));
  t.false(rows.includes(message.to));
});

test('a send with sendAt points to scheduled messages', async (t) => {
  const { expectRefusal, calls } = await scheduledStage(t, 'message');
  const native = { to: message.to, type: 'text', text: { body: 'a' }, sendAt: inMs(DAY_MS) };
  t.regex(await expectRefusal('VALIDATION_ERROR', 'POST /messages', native), /scheduled-messages/);
  await expectRefusal('VALIDATION_ERROR', 'POST /messages', { ...message, sendAt: inMs(DAY_MS) });
  t.deepEqual(calls, []);
});

test('only photo accounts schedule posts', async (t) => {
  const { bodyOf, path } = await scheduledStage(t, 'post');
  const chat = await platformStage(t, 'chatapp');
  await chat.expectRefusal('CHANNEL_TYPE_MISMATCH', `POST ${path}`, bodyOf());
});
