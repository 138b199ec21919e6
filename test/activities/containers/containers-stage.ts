import type { ExecutionContext } from 'ava';
import { createContainerPublishActivities } from '../../../activities/containers/container-publish-activities.ts';
import { createContainerActivities } from '../../../activities/containers/container-activities.ts';
import { createPlatformMedia, type PlatformMedia } from '../../../platform/media/media.ts';
import type { MediaControlInput } from '../../../simulator/media/control.ts';
import { startPlatform } from '../../../simulator/platform.ts';
import { createWorkerShares } from '../../../worker/worker-shares.ts';
import { inActivity, type InActivity } from '../../harness/temporal/activity.ts';
import { type ContainerOptions, containerStage } from '../../harness/containers/container-stage.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { testSecretBox } from '../../harness/tenants.ts';

/** Processes media immediately. */
export async function activityStage(t: ExecutionContext<unknown>) {
  const stage = await containerStage(t);
  const appSecret = 'app secret';
  const processing = { imageMs: 0, videoMs: 0, carouselMs: 0 };
  const platform = await startPlatform({
    port: 0,
    appSecret,
    webhookUrl: 'http://127.0.0.1:1/',
    media: { processing },
  });
  t.teardown(platform.stop);
  const platformMedia = createPlatformMedia({ apiUrl: platform.url, appSecret, timeoutMs: 120_000 });
  t.teardown(() => platformMedia.close());
  const log = rememberingLog();
  const { media: mediaShares } = createWorkerShares();
  const deps = { db: stage.db, secretBox: testSecretBox, platformMedia, mediaShares, log };
  const activities = { ...createContainerActivities(deps), ...createContainerPublishActivities(deps) };

  const finished = async (options: ContainerOptions = {}) => {
    const container = await stage.image(options);
    const part = { containerId: container.publicId, position: 0 };
    await inActivity(() => activities.createPart(part));
    const check = { containerId: container.publicId, children: false, nextCheckAtMs: Date.now() + 60_000 };
    await inActivity(() => activities.checkContainer(check));
    return await stage.read(container);
  };

  return {
    ...stage,
    ...deps,
    deps,
    platform,
    activities,
    finished,
    script: (change: MediaControlInput) => platform.media.control(change),
    callsAt: (step: string) => platform.media.calls().filter(({ at }) => at === step),
    /** The activities with a platform that answers otherwise. */
    answering: (change: Partial<PlatformMedia>) =>
      createContainerActivities({ ...deps, platformMedia: { ...platformMedia, ...change } }),
    disconnect: async () => {
      await stage.db('channels').where({ id: stage.channel.id }).update({ disconnected_at: new Date() });
    },
    create: ({ publicId: containerId }: { publicId: string }, position = 0, options?: InActivity) =>
      inActivity(() => activities.createPart({ containerId, position }), options),
    settle: ({ publicId: containerId }: { publicId: string }, position = 0) =>
      activities.settleCreate({ containerId, position }),
    check: ({ publicId: containerId }: { publicId: string }, children = false) =>
      inActivity(() => activities.checkContainer({ containerId, children, nextCheckAtMs: Date.now() + 60_000 })),
    publish: ({ publicId: containerId }: { publicId: string }) =>
      inActivity(() => activities.publishOnce({ containerId })),
    resolve: ({ publicId: containerId }: { publicId: string }) =>
      inActivity(() => activities.resolvePublish({ containerId, nextCheckAtMs: Date.now() + 60_000 })),
    release: ({ publicId: containerId }: { publicId: string }) => activities.releasePublish({ containerId }),
  };
}
