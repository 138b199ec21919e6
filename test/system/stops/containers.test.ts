import test from 'ava';
import { image, photoAccount } from '../../harness/system/photo-account.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const HELD_MS = 60_000;

test('a stopping worker records cut container calls and repeats none', async (t) => {
  t.timeout(900_000);
  const env = { SHUTDOWN_GRACE_SECONDS: '5', CONTAINER_POLL_SECONDS: '0.5' };
  const system = await startSystem(t, { env });
  const { platform, workers } = system;
  const created = await photoAccount(system);
  const published = await photoAccount(system);
  const answered = await photoAccount(system);
  platform.media.control({
    processing: { imageMs: 100, videoMs: 100, carouselMs: 100 },
    faults: [
      { at: 'create', match: { account: created.resourceId }, lost: 'after', delayMs: HELD_MS, times: 1 },
      { at: 'publish', match: { account: published.resourceId }, lost: 'after', delayMs: HELD_MS, times: 1 },
    ],
  });
  const { containerId } = (await published.createUntilDecided(image)).body;
  await published.reaches(containerId, 'finished');
  const publishing = published.publish(containerId);
  const creating = created.create(image);
  const isPending = (at: 'create' | 'publish') => () =>
    platform.media.calls().some((call) => call.at === at && call.outcome === 'pending');
  await until(isPending('publish'), { for: 'The publish at the platform' });
  await until(isPending('create'), { for: 'The create at the platform' });

  t.deepEqual(await workers[0]!.stop(), { code: 0, signal: null });
  await workers[0]!.start();

  t.like(await creating, { status: 504, body: { code: 'PLATFORM_OUTCOME_UNKNOWN' } });
  await created.reaches(await created.containerId(), 'unknown');
  await published.reaches(containerId, 'published');
  t.true([200, 504].includes((await publishing).status));
  t.is((await created.create(image)).status, 504, 'a repeat with the same key');
  t.deepEqual([created.calls('create').length, created.containers().length], [1, 1]);
  t.deepEqual([published.calls('publish').length, published.posts().length], [1, 1]);
  t.is((await answered.createUntilDecided(image)).status, 201, 'the new worker works');
});
