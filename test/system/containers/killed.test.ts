import test, { type ExecutionContext } from 'ava';
import type { MediaControlInput } from '../../../simulator/media/control.ts';
import type { ApiAnswer } from '../../harness/api/api-answer.ts';
import { carousel, image, type PhotoAccount, photoAccount, reel } from '../../harness/system/photo-account.ts';
import { startSystem, type System } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

type Fault = NonNullable<MediaControlInput['faults']>[number];

interface Step {
  readonly at: string;
  readonly body: object;
  /** Optional. Delays the platform's answer until after the kill. */
  readonly fault?: Omit<Fault, 'delayMs'>;
  readonly isReached: (account: PhotoAccount, containerId: string) => boolean | Promise<boolean>;
  readonly isPublishing?: boolean;
  /** Platform calls in total, including the later publish. */
  readonly creates: number;
  readonly publishes: number;
  /** The surviving API's answer to a repeat of the create with the same key. */
  readonly repeat: 201 | 504;
  readonly end: 'published' | 'unknown';
}

const HELD_MS = 20_000;
const second = { isCarouselItem: true, urlIncludes: '2.jpg' };
const parent = { mediaType: 'CAROUSEL' } as const;
const slowCarousel = { ...carousel, children: [...carousel.children, { videoUrl: reel.videoUrl }] };
const isPending = (at: 'create' | 'publish', count: number) => (account: PhotoAccount) =>
  account.calls(at).length === count && account.calls(at).some(({ outcome }) => outcome === 'pending');
const isPolled = (account: PhotoAccount): boolean => account.calls('status').length > 0;
const isFinished: Step['isReached'] = async (account, containerId) =>
  (await account.get(containerId)).status === 'finished';

const lost = { repeat: 504, end: 'unknown', publishes: 0 } as const;
const carried = { repeat: 201, end: 'published' } as const;
const steps: readonly Step[] = [
  {
    at: 'create sent, and never done',
    body: image,
    creates: 1,
    ...lost,
    fault: { at: 'create', lost: 'before' },
    isReached: isPending('create', 1),
  },
  {
    at: 'create done, and not answered',
    body: image,
    creates: 1,
    ...lost,
    fault: { at: 'create', lost: 'after' },
    isReached: isPending('create', 1),
  },
  {
    at: 'child done, and not answered',
    body: carousel,
    creates: 2,
    ...lost,
    fault: { at: 'create', match: second, lost: 'after' },
    isReached: isPending('create', 2),
  },
  {
    at: 'parent done, and not answered',
    body: carousel,
    creates: 3,
    ...lost,
    repeat: 201,
    fault: { at: 'create', match: parent, lost: 'after' },
    isReached: isPending('create', 3),
  },
  { at: 'children polled', body: slowCarousel, creates: 4, publishes: 1, isReached: isPolled, ...carried },
  { at: 'polled', body: reel, creates: 1, publishes: 1, isReached: isPolled, ...carried },
  {
    at: 'polled, to be published by itself',
    body: { ...reel, autoPublish: true },
    creates: 1,
    publishes: 1,
    isReached: isPolled,
    ...carried,
  },
  { at: 'finished', body: image, creates: 1, publishes: 1, isReached: isFinished, ...carried },
  {
    at: 'publish sent, and never done',
    body: image,
    creates: 1,
    publishes: 2,
    isPublishing: true,
    ...carried,
    fault: { at: 'publish', lost: 'before' },
    isReached: isPending('publish', 1),
  },
  {
    at: 'publish done, and not answered',
    body: image,
    creates: 1,
    publishes: 1,
    isPublishing: true,
    ...carried,
    fault: { at: 'publish', lost: 'after' },
    isReached: isPending('publish', 1),
  },
  {
    at: 'carousel done, and not answered',
    body: carousel,
    creates: 3,
    publishes: 1,
    isPublishing: true,
    ...carried,
    fault: { at: 'publish', lost: 'after' },
    isReached: isPending('publish', 1),
  },
];

interface Started {
  readonly step: Step;
  readonly account: PhotoAccount;
  readonly containerId: string;
}

test('killed processes duplicate no container or post and leave none unfinished', async (t) => {
  t.timeout(900_000);
  const system = await startSystem(t, { apis: 2, env: { CONTAINER_POLL_SECONDS: '0.5' } });
  const subjects = await Promise.all(steps.map(async (step) => ({ step, account: await photoAccount(system) })));
  system.platform.media.control({
    processing: { imageMs: 300, videoMs: 12_000, carouselMs: 300 },
    faults: subjects.flatMap(({ step: { fault }, account }): Fault[] => {
      const match = { ...fault?.match, account: account.resourceId };
      return fault ? [{ ...fault, match, delayMs: HELD_MS, times: 1 }] : [];
    }),
  });
  const inFlight: Promise<ApiAnswer | undefined>[] = [];
  const started = await Promise.all(
    subjects.map(async ({ step, account }): Promise<Started> => {
      inFlight.push(account.create(step.body).catch(() => undefined));
      const containerId = await account.containerId();
      if (step.isPublishing) {
        await account.reaches(containerId, 'finished');
        inFlight.push(account.publish(containerId).catch(() => undefined));
      }
      const detail = (): unknown => system.platform.media.calls().filter((call) => call.account === account.resourceId);
      await until(() => step.isReached(account, containerId), { for: step.at, detail });
      return { step, account, containerId };
    }),
  );

  await Promise.all([system.workers[0]!.kill9(), system.apis[0]!.kill9()]);
  await Promise.all(inFlight);
  await system.workers[0]!.start();
  await Promise.all(started.map((one) => endsAsExpected(t, { ...one, system })));

  const moving = await system.db('media_containers').whereIn('status', ['creating', 'in_progress', 'publishing']);
  t.deepEqual(moving, []);
});

async function endsAsExpected(
  t: ExecutionContext,
  { step, account, containerId, system }: Started & { readonly system: System },
): Promise<void> {
  const api = system.apiClients[1]!;
  const repeated = await account.create(step.body, api);
  t.is(repeated.status, step.repeat, `${step.at}: ${JSON.stringify(repeated.body)}`);
  if (repeated.status === 201) t.is(repeated.body.containerId, containerId, step.at);
  else t.is(repeated.body.code, 'PLATFORM_OUTCOME_UNKNOWN', step.at);
  t.is(repeated.headers.get('location'), `${account.path}/${containerId}`, step.at);

  let last: unknown;
  const hasSettled = async (): Promise<boolean> => {
    const container = await account.get(containerId, api);
    last = container;
    return ['finished', 'published', 'unknown', 'error', 'expired'].includes(container.status);
  };
  await until(hasSettled, { for: `The end of ${step.at}`, timeoutMs: 120_000, detail: () => last });
  if (step.end === 'published') await isPublishedOnce(t, { step, account, containerId, system });
  else t.like(await account.get(containerId, api), { status: 'unknown', mediaId: null }, step.at);
  t.is(account.calls('create').length, step.creates, `${step.at}: creates`);
  t.is(account.calls('publish').length, step.publishes, `${step.at}: publishes`);
}

async function isPublishedOnce(
  t: ExecutionContext,
  { step, account, containerId, system }: Started & { readonly system: System },
): Promise<void> {
  await account.reaches(containerId, ['finished', 'published'], system.apiClients[1]);
  const published = await account.publishUntilDecided(containerId, system.apiClients[1]);
  t.is(published.status, 200, `${step.at}: ${JSON.stringify(published.body)}`);
  const [post, ...others] = account.posts();
  t.is(others.length, 0, step.at);
  t.is(published.body.mediaId, post!.id, step.at);
}
