import test from 'ava';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { mediaTypes } from '../../contract/containers/media-types.ts';
import { shellQuote } from '../../contract/deliveries/curl-command.ts';
import { formatDuration, pluralize } from '../../dashboard/kit/format/format.ts';
import { formatEnv, formatMaskedEnv } from '../../dashboard/pages/channels/format-env.ts';
import {
  childrenOf,
  containerBodyOf,
  type ContainerFields,
  noFields,
} from '../../dashboard/pages/containers/container-form.ts';
import { scrollTopFor } from '../../dashboard/pages/deliveries/delivery-list.ts';
import { unsignedCurl } from '../../dashboard/pages/deliveries/unsigned-curl.ts';
import { initialPlan, planProblem, replayBodyOf } from '../../dashboard/pages/replays/replay-plan.ts';
import { presentProbe } from '../../dashboard/pages/webhooks/probe-outcome.ts';
import { containerInput } from '../../openapi/containers/schema.ts';
import { deliverySummary } from './pages/deliveries/delivery-summary.ts';

test('a failed probe shows the expected and actual response', (t) => {
  const nothing = { status: null, durationMs: null, found: null, responseBody: null, error: null };
  const get = presentProbe({
    ...nothing,
    probe: 'GET',
    outcome: 'rejected',
    status: 404,
    durationMs: 12,
    expected: 'status 200',
    found: 'the receiver answered status 404: "not, but here."',
  });
  t.deepEqual([get.label, get.tone, get.answer], ['failed', 'bad', '404 after 12 ms']);
  t.deepEqual(get.fault, { expected: 'Status 200.', found: 'The receiver answered status 404: "not, but here.".' });
  const silent = presentProbe({ ...nothing, probe: 'POST', outcome: 'no_response', durationMs: 9_000, expected: 'x' });
  t.deepEqual([silent.label, silent.answer], ['no response', 'after 9.0 s']);
  const post = presentProbe({ ...nothing, probe: 'POST', outcome: 'not_sent', expected: 'a 2xx status' });
  t.deepEqual([post.label, post.tone, post.answer, post.fault], ['not sent', 'neutral', '', null]);
});

test('a shell reads a quoted text unchanged', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!text.includes('\0'));
      const output = execFileSync('sh', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' });
      return output === text.toWellFormed();
    }),
    { numRuns: 30 },
  );
  t.pass();
});

test('a curl command without a recorded request has no signature', (t) => {
  const delivery = { ...deliverySummary('wd_12345678'), payload: `{"text":"it's"}`, attempts: [] };
  const line = unsignedCurl(delivery);
  t.true(line.startsWith(String.raw`printf %s '{"text":"it'\''s"}' | curl -i -g -X POST https://example.com/`));
  t.notRegex(line, /signature/i);
});

test('a row outside the view is scrolled to its nearest edge', (t) => {
  const at = { rowHeightPx: 40, scrollTopPx: 400, viewHeightPx: 400 };
  t.deepEqual([scrollTopFor(9, at), scrollTopFor(12, at), scrollTopFor(20, at)], [360, 400, 440]);
});

test('a replay plan starts from the filters and rejects invalid input', (t) => {
  const now = new Date('2026-01-02T12:00:30.000Z');
  const listed = initialPlan(new URLSearchParams('status=retrying,exhausted&type=chatapp.message.received,other'), now);
  t.deepEqual([listed.statuses, listed.eventTypes], [['retrying', 'exhausted'], ['chatapp.message.received']]);
  const plan = initialPlan(new URLSearchParams('channel=ch_12345678&status=exhausted'), now);
  t.is(planProblem(plan), null);
  const body = replayBodyOf(plan, 'workspace:ws_12345678');
  t.like(body, { scope: 'channel:ch_12345678', statuses: ['exhausted'], ratePerSecond: 50 });
  t.is(Date.parse(body.until) - Date.parse(body.since), 86_460_000);
  t.true(Date.parse(body.until) > now.getTime(), 'the current minute is included');
  t.is(replayBodyOf({ ...plan, channelId: '' }, 'organization:org_12345678').scope, 'organization:org_12345678');
  t.truthy(planProblem({ ...plan, statuses: [] }));
  t.truthy(planProblem({ ...plan, since: plan.until }));
  t.truthy(planProblem({ ...plan, rate: '1.5' }));
});

test('a container request has only the fields of its media type', (t) => {
  const url = 'https://media.example.com/1';
  const fields = { ...noFields, url, altText: 'A loaf', caption: 'Bread', coverUrl: url };
  t.deepEqual(containerBodyOf(fields), {
    mediaType: 'IMAGE',
    imageUrl: url,
    caption: 'Bread',
    altText: 'A loaf',
    autoPublish: false,
  });
  t.deepEqual(containerBodyOf({ ...fields, mediaType: 'STORIES', isVideo: true }), {
    mediaType: 'STORIES',
    videoUrl: url,
    autoPublish: false,
  });
  t.deepEqual(childrenOf('https://a.example/1.jpg\n\n video https://a.example/2\nhttps://a.example/3.MP4?x=1'), [
    { imageUrl: 'https://a.example/1.jpg' },
    { videoUrl: 'https://a.example/2' },
    { videoUrl: 'https://a.example/3.MP4?x=1' },
  ]);
});

const filled: ContainerFields = {
  mediaType: 'IMAGE',
  url: 'https://media.example.com/1',
  isVideo: true,
  caption: 'Bread',
  altText: 'A loaf',
  coverUrl: ' https://media.example.com/2 ',
  thumbOffset: '1500',
  locationId: ' 42 ',
  audioName: 'Bells',
  shareToFeed: false,
  trial: 'manual',
  trialParams: '{"a": 1}',
  autoPublish: true,
  userTags: [{ username: ' @some.body', fromLeft: '29', fromTop: '12.5' }],
  children: 'https://media.example.com/1.jpg\nhttps://media.example.com/2.mp4',
};

test('a fully filled container form is valid for every media type', (t) => {
  for (const mediaType of mediaTypes) {
    const result = containerInput.safeParse(containerBodyOf({ ...filled, mediaType }));
    t.deepEqual(result.error?.issues ?? [], [], mediaType);
  }
  t.like(containerBodyOf(filled), { locationId: '42', userTags: [{ username: 'some.body', x: 0.29, y: 0.125 }] });
  t.deepEqual(containerBodyOf({ ...filled, mediaType: 'REELS' }), {
    mediaType: 'REELS',
    videoUrl: filled.url,
    caption: 'Bread',
    coverUrl: 'https://media.example.com/2',
    thumbOffset: 1500,
    locationId: '42',
    audioName: 'Bells',
    shareToFeed: false,
    autoPublish: true,
    trialParams: { a: 1, graduationStrategy: 'manual' },
    userTags: [{ username: 'some.body' }],
  });
});

test('environment variables are shell-quoted, and masked for display', (t) => {
  const values = { SERVICE_CHANNEL_ID: 'ch_12345678', VERIFY_TOKEN: "it's", WEBHOOK_HMAC_SECRET: '' };
  t.is(formatEnv(values), `SERVICE_CHANNEL_ID=ch_12345678\nVERIFY_TOKEN='it'\\''s'\nWEBHOOK_HMAC_SECRET=`);
  t.false(formatMaskedEnv(values).includes("it's"));
});

test('counts and durations are formatted', (t) => {
  t.deepEqual(
    [pluralize(1, 'delivery', 'deliveries'), pluralize(1_200, 'delivery', 'deliveries')],
    ['1 delivery', '1,200 deliveries'],
  );
  t.deepEqual([12, 1_234, 59_600, 184_000, 7_200_000].map(formatDuration), [
    '12 ms',
    '1.2 s',
    '1 min',
    '3 min 4 s',
    '2 h',
  ]);
});
