import { createHmac } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { createContent } from '../../../simulator/content/content.ts';
import { seededIds } from '../../../simulator/content/seed.ts';
import { createMedia } from '../../../simulator/media/media.ts';
import { createMessaging } from '../../../simulator/messaging/messaging.ts';
import type { LoggedCall } from '../../../simulator/scripted-api/call-log.ts';
import type { Answering } from '../../../simulator/scripted-api/control.ts';
import { eventually } from '../../harness/eventually.ts';
import { callApi, refusal, type Sent, serveApis } from '../api-server.ts';

const appSecret = 's';
const quiet = { sentMs: null, deliveredMs: null, readMs: null, echoMs: null };
const poster = { post: () => Promise.reject(new Error('No webhook is due')), close: () => Promise.resolve() };

interface Subject {
  readonly answer: Answering;
  readonly control: (change: never) => unknown;
  readonly release: () => void;
  readonly path: string;
  readonly query: Record<string, string>;
  /** The operation of the call. */
  readonly at: string;
  readonly wrongBody: true | 'empty';
  readonly callCount: () => number;
  readonly lostCount: () => number;
  readonly madeCount: () => number;
}

const lostOf = (calls: readonly LoggedCall[]) => calls.filter(({ outcome }) => outcome === 'lost').length;

const subjects: Readonly<Record<string, () => Subject>> = {
  messaging() {
    const api = createMessaging({ appSecret, poster, webhooks: quiet });
    return {
      ...api,
      path: '/v22.0/300000000000001/messages',
      query: { recipient: '{"id":"1"}', message: '{"text":"Hello"}' },
      at: 'send',
      wrongBody: true,
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
      at: 'create',
      wrongBody: true,
      callCount: () => api.calls().length,
      lostCount: () => lostOf(api.calls()),
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
      at: 'reply',
      wrongBody: 'empty',
      callCount: () => api.calls().length,
      lostCount: () => lostOf(api.calls()),
      madeCount: () => api.objects('comment').length - seededCount,
    };
  },
};

async function serve(t: ExecutionContext, create: () => Subject) {
  const subject = create();
  const { url, goneCount } = await serveApis(t, [subject.answer]);
  const call = (more: Record<string, string> = {}, sent: Omit<Sent, 'body'> = {}) =>
    callApi('POST', url + subject.path, {
      body: new URLSearchParams({ ...subject.query, ...more }).toString(),
      ...sent,
    });
  const set = (change: object) => void subject.control(change as never);
  const fault = (...faults: readonly object[]) => set({ faults: faults.map((one) => ({ at: subject.at, ...one })) });
  return { ...subject, url, goneCount, call, set, fault };
}

for (const [name, create] of Object.entries(subjects)) {
  test(`${name}: a delayed call takes effect and is answered on release`, async (t) => {
    const { call, fault, callCount, madeCount, release } = await serve(t, create);
    fault({ delayMs: 60_000 });
    const answered = call();
    await eventually(() => callCount() === 1);
    t.is(madeCount(), 0);
    release();
    t.is((await answered).status, 200);
    t.is(madeCount(), 1);
  });

  test(`${name}: a call whose caller has left takes effect and is lost`, async (t) => {
    const { call, fault, goneCount, callCount, madeCount, lostCount, release } = await serve(t, create);
    fault({ delayMs: 60_000 });
    const caller = new AbortController();
    const cut = t.throwsAsync(call({}, { signal: caller.signal }));
    await eventually(() => callCount() === 1);
    caller.abort();
    await cut;
    await eventually(() => goneCount() === 1);
    t.is(madeCount(), 0);
    release();
    await eventually(() => lostCount() === 1);
    t.is(madeCount(), 1);
  });

  test(`${name}: a call with an unreadable body is refused and logged`, async (t) => {
    const { url, path, callCount, madeCount } = await serve(t, create);
    const headers = { 'content-type': 'application/json' };
    t.deepEqual(refusal(await callApi('POST', url + path, { body: '[', headers })), [400, 100, undefined]);
    t.is(callCount(), 1);
    t.is(madeCount(), 0);
  });

  test(`${name}: a refusal has the scripted code, status, text and number`, async (t) => {
    const { call, fault, madeCount } = await serve(t, create);
    fault({ code: 368, subcode: 7, status: 418, message: 'Blocked', times: 2 });
    for (let time = 0; time < 2; time++) {
      const answer = await call();
      t.deepEqual([...refusal(answer), answer.body.error.message], [418, 368, 7, 'Blocked']);
    }
    t.is(madeCount(), 0);
    t.is((await call()).status, 200);
  });

  test(`${name}: a failed call acts only if the script says so`, async (t) => {
    const { call, fault, madeCount, lostCount, wrongBody } = await serve(t, create);
    fault({ lost: 'before', times: 1 }, { lost: 'after', times: 1 });
    await t.throwsAsync(call());
    t.is(madeCount(), 0);
    await t.throwsAsync(call());
    t.deepEqual([madeCount(), lostCount()], [1, 2]);
    fault({ httpStatus: 503 });
    t.deepEqual(refusal(await call()), [503, 2, undefined]);
    t.is(madeCount(), 1);
    fault({ httpStatus: 500, afterEffect: true });
    t.deepEqual(refusal(await call()), [500, 2, undefined]);
    t.is(madeCount(), 2);
    fault({ wrongBody });
    t.deepEqual((await call()).body, wrongBody === true ? { success: true } : {});
    t.is(madeCount(), 3);
  });

  test(`${name}: a missing or dead token and a wrong proof are refused`, async (t) => {
    const { call, set } = await serve(t, create);
    t.deepEqual(refusal(await call({}, { headers: { authorization: '' } })), [400, 190, undefined]);
    t.is((await call({ access_token: 'token' }, { headers: { authorization: '' } })).status, 200);
    t.deepEqual(refusal(await call({ appsecret_proof: 'wrong' })), [400, 100, undefined]);
    const appsecret_proof = createHmac('sha256', appSecret).update('token').digest('hex');
    t.is((await call({ appsecret_proof })).status, 200);
    set({ deadTokens: ['token'] });
    t.deepEqual(refusal(await call()), [400, 190, 463]);
    t.is((await call({}, { headers: { authorization: 'Bearer other' } })).status, 200);
  });

  test(`${name}: a misspelled or contradictory control is refused`, async (t) => {
    const { url, at } = await serve(t, create);
    for (const wrong of [
      { clock: 1 },
      { faults: [{ at: 'nowhere', code: 1 }] },
      { faults: [{ at }] },
      { faults: [{ at, code: 1, httpStatus: 500 }] },
      { faults: [{ at, delayMs: 1, status: 400 }] },
      { faults: [{ at, code: 1, lost: 'before' }] },
      { faults: [{ at, lost: 'after', afterEffect: true }] },
    ]) {
      const { status } = await callApi('POST', `${url}/control/${name}`, { body: JSON.stringify(wrong) });
      t.is(status, 400, JSON.stringify(wrong));
    }
  });
}
