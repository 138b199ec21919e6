import test from 'ava';
import { image, photoAccount } from '../../harness/system/photo-account.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const SOON_MS = 2_000;
const HOUR_SECONDS = 3_600;

test('a post is published once at its time, even after a kill', async (t) => {
  t.timeout(600_000);
  const system = await startSystem(t, { env: { CONTAINER_POLL_SECONDS: '0.5' } });
  const { api, workers, platform } = system;
  platform.media.control({ processing: { imageMs: HOUR_SECONDS * 1_000 } });
  const account = await photoAccount(system);
  const path = `/channels/${account.channelId}/photoapp/scheduled-posts`;
  const schedule = async (delayMs: number): Promise<string> => {
    const body = { publishAt: new Date(Date.now() + delayMs).toISOString(), container: image };
    const answer = await api.call(`POST ${path}`, body);
    t.is(answer.status, 202, JSON.stringify(answer.body));
    return answer.body.scheduledPostId;
  };
  const ids = [await schedule(SOON_MS), await schedule(SOON_MS)];
  const later = await schedule(3_600_000);
  const startOf = (id: string) => async (): Promise<string | undefined> =>
    (await api.call(`GET ${path}/${id}`)).body.containerId ?? undefined;
  // A kill while the platform creates or publishes a container leaves its outcome unknown, which is never repeated.
  const isCreated = async (id: string): Promise<boolean> => {
    const containerId = await startOf(id)();
    if (containerId === undefined) return false;
    return (await api.call(`GET ${account.path}/${containerId}`)).body.status !== 'creating';
  };
  await until(async () => (await Promise.all(ids.map(isCreated))).every(Boolean), { for: 'the containers' });
  await workers[0]!.crash();
  platform.media.control({ clockOffsetSeconds: HOUR_SECONDS });
  for (const id of ids) {
    const isPublished = async (): Promise<boolean> => {
      const containerId = await startOf(id)();
      if (containerId === undefined) return false;
      return (await api.call(`GET ${account.path}/${containerId}`)).body.status === 'published';
    };
    await until(isPublished, { for: `the publication of ${id}` });
  }
  t.is(account.posts().length, ids.length);
  t.is((await api.call(`GET ${path}/${later}`)).body.status, 'scheduled');
  t.is((await api.call(`POST ${path}/${later}/cancel`)).body.status, 'cancelled');
});
