import test, { type ExecutionContext } from 'ava';
import { createContent } from '../../../simulator/content/content.ts';
import { seededIds } from '../../../simulator/content/seed.ts';
import { createMedia } from '../../../simulator/media/media.ts';
import { createMessaging } from '../../../simulator/messaging/messaging.ts';
import type { Answering } from '../../../simulator/scripted-api/control.ts';
import { eventually } from '../../harness/eventually.ts';
import { callApi, refusal, serveApis } from '../api-server.ts';

const appSecret = 's';
const quiet = { sentMs: null, deliveredMs: null, readMs: null, echoMs: null };
const poster = { post: () => Promise.reject(new Error('No webhook is due')), close: () => Promise.resolve() };

interface Subject {
  readonly answer: Answering;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly delay: () => void;
  readonly release: () => void;
  readonly callCount: () => number;
  readonly lostCount: () => number;
  readonly madeCount: () => number;
}

const subjects: Readonly<Record<string, () => Subject>> = {
  messaging() {
    const api = createMessaging({ appSecret, poster, webhooks: quiet });
    return {
      ...api,
      path: '/v22.0/300000000000001/messages',
      query: { recipient: '{"id":"1"}', message: '{"text":"Hello"}' },
      delay: () => api.control({ faults: [{ at: 'send', delayMs: 60_000 }] }),
      callCount: () => api.counts().calls['send'] ?? 0,
      lostCount: () => api.counts().lost,
      madeCount: () => api.sent().length,
    };
  },
  media() {
    const api = createMedia({ appSecret });
    return {
      ...api,
      path: '/v23.0/200000000000077/media',
      query: { image_url: 'https://media.example/photo.jpg' },
      delay: () => api.control({ faults: [{ at: 'create', delayMs: 60_000 }] }),
      callCount: () => api.calls().length,
      lostCount: () => api.calls().filter(({ outcome, madeId }) => outcome === 'lost' && madeId !== null).length,
      madeCount: () => api.containers().length,
    };
  },
  content() {
    const api = createContent({ appSecret });
    const { pageCommentId } = seededIds('001');
    const seededCount = api.objects('comment').length;
    return {
      ...api,
      path: `/v25.0/${pageCommentId(1)}/comments`,
      query: { message: 'Hello' },
      delay: () => api.control({ faults: [{ delayMs: 60_000 }] }),
      callCount: () => api.calls().length,
      lostCount: () => api.calls().filter(({ outcome, madeId }) => outcome === 'lost' && madeId !== null).length,
      madeCount: () => api.objects('comment').length - seededCount,
    };
  },
};

async function serve(t: ExecutionContext, subject: Subject) {
  const { url, goneCount } = await serveApis(t, [subject.answer]);
  const body = new URLSearchParams(subject.query).toString();
  const call = (signal?: AbortSignal) => callApi('POST', url + subject.path, { body, ...(signal && { signal }) });
  return { call, goneCount };
}

for (const [name, create] of Object.entries(subjects)) {
  test(`${name}: a delayed call takes effect and is answered on release`, async (t) => {
    const subject = create();
    const { call } = await serve(t, subject);
    subject.delay();
    const answered = call();
    await eventually(() => subject.callCount() === 1);
    t.is(subject.madeCount(), 0);
    subject.release();
    t.is((await answered).status, 200);
    t.is(subject.madeCount(), 1);
  });

  test(`${name}: a call whose caller has left takes effect and is lost`, async (t) => {
    const subject = create();
    const { call, goneCount } = await serve(t, subject);
    subject.delay();
    const caller = new AbortController();
    const cut = t.throwsAsync(call(caller.signal));
    await eventually(() => subject.callCount() === 1);
    caller.abort();
    await cut;
    await eventually(() => goneCount() === 1);
    t.is(subject.madeCount(), 0);
    subject.release();
    await eventually(() => subject.lostCount() === 1);
    t.is(subject.madeCount(), 1);
  });

  test(`${name}: a call with an unreadable body is refused and logged`, async (t) => {
    const subject = create();
    const { url } = await serveApis(t, [subject.answer]);
    const headers = { 'content-type': 'application/json' };
    t.deepEqual(refusal(await callApi('POST', url + subject.path, { body: '[', headers })), [400, 100, undefined]);
    t.is(subject.callCount(), 1);
    t.is(subject.madeCount(), 0);
  });
}
