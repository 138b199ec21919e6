import { createHmac } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import type { LoggedCall } from '../../simulator/scripted-api/api.ts';
import { eventually } from '../harness/eventually.ts';
import { appSecret, demo, imageUrl, page, photoAccount, refusal, simulated } from './client.ts';

type Simulated = Awaited<ReturnType<typeof simulated>>;

interface Subject {
  readonly at: string;
  readonly path: string;
  readonly form: Record<string, string>;
  readonly api: (platform: Simulated) => {
    control(change: object): void;
    release(): void;
    calls(): readonly LoggedCall[];
  };
  readonly madeCount: (platform: Simulated) => number;
}

const subjects: Readonly<Record<string, Subject>> = {
  messaging: {
    at: 'send',
    path: `${page}/messages`,
    form: { recipient: '{"id":"1"}', message: '{"text":"Hello"}' },
    api: ({ messaging }) => messaging,
    madeCount: ({ messaging }) => messaging.sent().length,
  },
  media: {
    at: 'create',
    path: `${photoAccount}/media`,
    form: { image_url: imageUrl },
    api: ({ media }) => media,
    madeCount: ({ media }) => media.containers().length,
  },
  content: {
    at: 'reply',
    path: `${demo.pageCommentId(1)}/comments`,
    form: { message: 'Hello' },
    api: ({ content }) => content,
    // Four pages and three photo accounts have seeded comments.
    madeCount: ({ content }) => content.objects('comment').filter(({ text }) => text === 'Hello').length,
  },
};

async function stage(t: ExecutionContext, { at, path, form, api, madeCount }: Subject) {
  const platform = await simulated(t);
  const { control, release, calls } = api(platform);
  return {
    ...platform,
    send: () => platform.post(path, form),
    script: (...faults: object[]) => control({ faults: faults.map((fault) => ({ at, ...fault })) }),
    control,
    release,
    calls,
    made: () => madeCount(platform),
  };
}

for (const [name, subject] of Object.entries(subjects)) {
  test(`${name}: a delayed call takes effect and is answered on release`, async (t) => {
    const { send, script, calls, made, release } = await stage(t, subject);
    script({ delayMs: 60_000 });
    const answered = send();
    await eventually(() => calls().length === 1);
    t.like(calls(), [{ at: subject.at, outcome: 'pending' }]);
    t.is(made(), 0);
    release();
    t.is((await answered).status, 200);
    t.is(made(), 1);
  });

  test(`${name}: a call with an unreadable body is refused and logged`, async (t) => {
    const { call, calls, made } = await stage(t, subject);
    const headers = { 'content-type': 'application/json' };
    for (const body of ['[', '[]', 'null', '1']) {
      t.deepEqual(refusal(await call('POST', subject.path, { body, headers })), [400, 100, undefined], body);
    }
    t.deepEqual([calls().length, made()], [4, 0]);
  });

  test(`${name}: a refusal is repeated as often as scripted`, async (t) => {
    const { send, script, made } = await stage(t, subject);
    script({ status: 418, code: 4, subcode: 7, message: 'No', regainAccessMinutes: 5, times: 2 });
    const { headers, ...refused } = await send();
    t.deepEqual([...refusal(refused), refused.body.error.message], [418, 4, 7, 'No']);
    const [usage] = Object.values(JSON.parse(String(headers['x-business-use-case-usage'])));
    t.deepEqual(usage, [{ call_count: 100, estimated_time_to_regain_access: 5 }]);
    t.is((await send()).status, 418);
    t.is(made(), 0);
    t.is((await send()).status, 200);
  });

  test(`${name}: failed calls take effect only if scripted`, async (t) => {
    const { send, script, calls, made } = await stage(t, subject);
    script(
      { lost: 'before', times: 1 },
      { httpStatus: 503, times: 1 },
      { delayMs: 1, code: 1, times: 1 },
      { lost: 'after', times: 1 },
      { httpStatus: 500, afterEffect: true, times: 1 },
      { wrongBody: true, times: 1 },
    );
    await t.throwsAsync(send());
    t.deepEqual(refusal(await send()), [503, 2, undefined]);
    t.is((await send()).body.error.code, 1);
    t.is(made(), 0);
    await t.throwsAsync(send());
    t.is(made(), 1);
    t.is((await send()).status, 500);
    t.is(made(), 2);
    t.like(await send(), { status: 200, body: { success: true, id: undefined } });
    t.is(made(), 3);
    t.deepEqual(
      calls().map(({ outcome }) => outcome),
      ['lost', 'answered', 'answered', 'lost', 'answered', 'answered'],
    );
  });

  test(`${name}: a missing or dead token and a wrong proof are refused`, async (t) => {
    const { call, control, send } = await stage(t, subject);
    const asked = async (query: Record<string, string>, authorization = '') =>
      refusal(await call('POST', subject.path, { form: subject.form, query, headers: { authorization } }));
    t.is((await asked({}))[1], 190);
    t.is((await asked({ access_token: 'token' }))[0], 200);
    t.deepEqual(await asked({ appsecret_proof: 'x' }, 'Bearer token'), [400, 100, undefined]);
    const appsecret_proof = createHmac('sha256', appSecret).update('token').digest('hex');
    t.is((await asked({ appsecret_proof }, 'Bearer token'))[0], 200);
    control({ deadTokens: ['token'] });
    t.deepEqual(refusal(await send()), [400, 190, 463]);
    t.is((await asked({}, 'Bearer other'))[0], 200);
  });

  test(`${name}: the control shows, validates and resets the script`, async (t) => {
    const { call, send, made } = await stage(t, subject);
    const path = `/control/${name}`;
    await send();
    t.like((await call('POST', path, { json: { deadTokens: ['a'] } })).body, {
      settings: { deadTokens: ['a'] },
      calls: [{ at: subject.at, outcome: 'answered' }],
    });
    const { at } = subject;
    const wrong = [
      { clock: 1 },
      { faults: [{ at: 'nowhere', code: 1 }] },
      { faults: [{ at }] },
      { faults: [{ at, code: 1, httpStatus: 500 }] },
    ];
    for (const change of wrong) t.is((await call('POST', path, { json: change })).status, 400, JSON.stringify(change));
    t.like((await call('DELETE', path)).body, { settings: { deadTokens: [], faults: [] }, calls: [] });
    t.is(made(), 0);
  });
}

test('a fault affects only the calls that match', async (t) => {
  const { chat, post, messaging, media, content, get } = await simulated(t);
  const text = { text: { body: 'Hello' } };
  messaging.control({ faults: [{ at: 'send', match: { account: '100000000000001', to: '15551230002' }, code: 1 }] });
  t.is((await chat({ ...text, to: '15551230002' })).body.error.code, 1);
  t.is((await chat(text)).status, 200);
  t.is((await chat({ ...text, to: '15551230002' }, '100000000000011')).status, 200);

  content.control({ faults: [{ code: 1, match: { account: demo.pageId } }] });
  t.is((await get(demo.postId(1))).body.error.code, 1);
  t.is((await get(demo.mediaId(1))).status, 200);

  const child = { image_url: imageUrl, is_carousel_item: 'true' };
  media.control({
    faults: [
      { at: 'create', match: { mediaType: 'REELS' }, code: 1 },
      { at: 'create', match: { isCarouselItem: true, urlIncludes: 'photo' }, code: 2 },
      { at: 'status', match: { account: '1' }, code: 3 },
    ],
  });
  const made = async (form: Record<string, string>) => (await post(`${photoAccount}/media`, form)).body;
  t.is((await made({ media_type: 'REELS', video_url: imageUrl })).error.code, 1);
  t.is((await made(child)).error.code, 2);
  const { id } = await made({ image_url: imageUrl });
  t.is((await get(id)).status, 200);
  media.control({ faults: [{ at: 'status', match: { urlIncludes: 'photo' }, code: 3 }] });
  t.is((await get(id)).body.error.code, 3);
});
