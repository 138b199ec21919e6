import test from 'ava';
import { image, photoAccount } from '../../harness/system/photo-account.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

test('a stopping API answers pending container creates and webhook saves', async (t) => {
  t.timeout(900_000);
  // Without a worker, both requests wait longer than a process may take to stop.
  const system = await startSystem(t, { apis: 2, workers: 0, env: { SHUTDOWN_GRACE_SECONDS: '20' } });
  const { apis, apiClients, db, receiver } = system;
  const stopping = apiClients[0]!;
  const staying = apiClients[1]!;
  const account = await photoAccount(system);
  const { publicId: channelId } = await system.channel();

  const creating = account.create(image, stopping);
  const config = { webhookUrl: receiver.webhook('never').url, verifyToken: 'x' };
  const saving = stopping.call(`PUT /webhook-config/${channelId}`, config);
  await until(() => db('webhook_candidates').where({ status: 'staged' }).first(), { for: 'The save to wait' });
  const containerId = await account.containerId();
  const end = apis[0]!.stop();
  const [created, saved] = await Promise.all([creating, saving]);
  t.deepEqual(await end, { code: 0, signal: null });

  t.like({ status: created.status, ...created.body }, { status: 504, code: 'PLATFORM_OUTCOME_UNKNOWN' });
  const location = `${account.path}/${containerId}`;
  t.is(created.headers.get('location'), location);
  t.is((await staying.call(`GET ${location}`)).body.status, 'creating');

  t.like({ status: saved.status, ...saved.body }, { status: 504, code: 'PLATFORM_OUTCOME_UNKNOWN' });
  t.is((await staying.call(`GET /webhook-config/${channelId}`)).body.webhookUrl, null);
  t.like(await db('webhook_candidates').first(), { status: 'abandoned' }, 'it cannot be saved later');
});

test('a stopping API answers a pending publish, which continues without it', async (t) => {
  t.timeout(900_000);
  const system = await startSystem(t, {
    apis: 2,
    env: { CONTAINER_POLL_SECONDS: '0.5', SHUTDOWN_GRACE_SECONDS: '20' },
  });
  const { apis, apiClients, platform } = system;
  const account = await photoAccount(system);
  platform.media.control({
    processing: { imageMs: 100, videoMs: 100, carouselMs: 100 },
    faults: [{ at: 'publish', match: { account: account.resourceId }, lost: 'after', delayMs: 60_000, times: 1 }],
  });
  const { containerId } = (await account.createUntilDecided(image)).body;
  await account.reaches(containerId, 'finished');
  const publishing = account.publish(containerId, apiClients[0]);
  await until(() => account.calls('publish').length === 1, { for: 'The publish to wait' });
  const end = apis[0]!.stop();
  const { status, headers, body } = await publishing;
  t.deepEqual(await end, { code: 0, signal: null });

  t.like({ status, ...body }, { status: 504, code: 'PLATFORM_OUTCOME_UNKNOWN' });
  t.is(headers.get('location'), `${account.path}/${containerId}`);
  const published = async () => (await account.get(containerId, apiClients[1])).status === 'published';
  await until(published, { for: 'The end of the publish', timeoutMs: 120_000 });
  t.is(account.posts().length, 1);
});
