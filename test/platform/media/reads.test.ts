import test from 'ava';
import { PlatformRejected } from '../../../platform/client/errors.ts';
import { account, type Answer, json, mediaFor, signal, refusal } from './test-server.ts';
import { pluck } from '../../harness/pluck.ts';

test("a container's state is translated and keeps the platform's detail", async (t) => {
  const words = ['IN_PROGRESS', 'FINISHED', 'PUBLISHED', 'ERROR', 'EXPIRED'];
  const { media, seen } = await mediaFor(
    t,
    words.map((word) => json({ status_code: word, ...(word === 'ERROR' && { status: 'Error:\n2207026' }), id: '17' })),
  );
  const read = [];
  for (const word of words) read.push({ word, ...(await media.readContainer(account, '17', signal)) });
  t.deepEqual(
    read,
    words.map((word) => ({ word, status: word.toLowerCase(), detail: word === 'ERROR' ? 'Error: 2207026' : null })),
  );
  t.is(seen[0]?.call, 'GET /v25.0/17?fields=status_code%2Cstatus');
});

test('reads retry temporary failures only', async (t) => {
  const passing: Answer[] = [
    refusal({ code: 4 }),
    refusal({ code: 32 }),
    refusal({ code: 9, is_transient: true }),
    refusal({ code: 2 }, 500),
    (response) => response.destroy(),
  ];
  for (const answer of passing) {
    const { media, seen } = await mediaFor(t, [answer, json({ status_code: 'FINISHED' })]);
    t.like(await media.readContainer(account, '17', signal), { status: 'finished' });
    t.is(seen.length, 2);
  }
  const { media, seen } = await mediaFor(t, [refusal({ code: 24, error_subcode: 2207006, message: 'not found' })]);
  const error = await t.throwsAsync(media.readContainer(account, '17', signal), { instanceOf: PlatformRejected });
  t.like(error, { code: 24, subcode: 2207006, text: 'not found' });
  t.is(seen.length, 1);
});

test('a status without its code is read from the text', async (t) => {
  const cases: readonly [answer: object, status: string | null, detail: string | null][] = [
    [{ status: 'Error: Media download has failed.' }, 'error', 'Error: Media download has failed.'],
    [{ status: 'In Progress: Media is being processed.' }, 'in_progress', 'In Progress: Media is being processed.'],
    [{ status: 'FINISHED' }, 'finished', 'FINISHED'],
    [{ status_code: null, status: 'Expired' }, 'expired', 'Expired'],
    [{ status_code: '', status: 'Published: done' }, 'published', 'Published: done'],
    [{ status_code: 'NEW_WORD', status: 'Error: 1' }, 'error', 'Error: 1'],
    [{ status_code: 'ERROR', status: 'Finished: no' }, 'error', 'Finished: no'],
    [{ status_code: 'NEW_WORD' }, null, 'NEW_WORD'],
    [{ status_code: 7, status: 'constructor: x' }, null, 'constructor: x'],
    [{ status: 'Under review' }, null, 'Under review'],
    [{ status: 5 }, null, null],
    [{}, null, null],
  ];
  const { media } = await mediaFor(
    t,
    cases.map(([answer]) => json({ id: '17', ...answer })),
  );
  for (const [answer, status, detail] of cases) {
    t.deepEqual(await media.readContainer(account, '17', signal), { status, detail }, JSON.stringify(answer));
  }
});

test('the quota is null if the platform does not report it', async (t) => {
  const { media, seen } = await mediaFor(t, [
    json({ data: [{ quota_usage: 3, config: { quota_total: 50, quota_duration: 86400 } }] }),
    json({ data: [{ quota_usage: 3 }] }),
    json({ data: [] }),
  ]);
  t.deepEqual(await media.readQuota(account, signal), { used: 3, total: 50 });
  t.is(await media.readQuota(account, signal), null);
  t.is(await media.readQuota(account, signal), null);
  t.is(seen[0]?.call, 'GET /v25.0/4711/content_publishing_limit?fields=config%2Cquota_usage');
});

test('an invalid permalink becomes null', async (t) => {
  const { media, seen } = await mediaFor(t, [
    json({ permalink: 'https://www.platform.example/p/1/' }),
    json({ id: '18' }),
    json({ permalink: 'javascript:alert(1)' }),
  ]);
  t.is(await media.readPermalink(account, '18', signal), 'https://www.platform.example/p/1/');
  t.is(await media.readPermalink(account, '18', signal), null);
  t.is(await media.readPermalink(account, '18', signal), null);
  t.is(seen[0]?.call, 'GET /v25.0/18?fields=permalink');
});

test('recent media are sorted newest first without unreadable items', async (t) => {
  const data = [
    {
      id: '1',
      media_type: 'IMAGE',
      timestamp: '2026-01-01T10:00:00+0000',
      caption: 'c',
      permalink: 'https://a.example/',
    },
    { id: '2', media_type: 'CAROUSEL_ALBUM', timestamp: '2026-01-01T13:00:00+0200' },
    { id: '3', media_type: 'NEW_KIND', timestamp: '2026-01-01T10:00:00+0000' },
    { id: '4', media_type: 'VIDEO', timestamp: 'yesterday' },
    null,
  ];
  const { media, seen } = await mediaFor(t, [json({ data })]);
  t.deepEqual(await media.recentMedia(account, { stories: false }, signal), [
    { id: '2', caption: null, kind: 'carousel', postedAt: new Date('2026-01-01T11:00:00Z'), permalink: null },
    {
      id: '1',
      caption: 'c',
      kind: 'image',
      postedAt: new Date('2026-01-01T10:00:00Z'),
      permalink: 'https://a.example/',
    },
  ]);
  await media.recentMedia(account, { stories: true }, signal);
  const fields = 'fields=id%2Ccaption%2Cmedia_type%2Ctimestamp%2Cpermalink&limit=25';
  t.deepEqual(pluck(seen, 'call'), [`GET /v25.0/4711/media?${fields}`, `GET /v25.0/4711/stories?${fields}`]);
});
