import test, { type ExecutionContext } from 'ava';
import { containerWorkflowId } from '../../../contract/ids.ts';
import { carousel, image, type PhotoAccount, photoAccount, reel } from '../../harness/system/photo-account.ts';
import { startSystem, type System } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';
import { viewWorkflow } from '../../harness/system/workflow-view.ts';

const env = { CONTAINER_POLL_SECONDS: '0.5' };
const PROCESSING_MS = 600_000;

test('the API creates, reports and publishes media containers', async (t) => {
  const clock = { aheadMs: 0 };
  const system = await startSystem(t, { env, media: { now: () => Date.now() + clock.aheadMs } });
  const { media } = system.platform;
  media.control({ processing: { imageMs: PROCESSING_MS, videoMs: 1_000, carouselMs: 500 } });
  const processingSeen = Promise.withResolvers<void>();
  const creatingSeen = Promise.withResolvers<void>();
  const endProcessing = async (): Promise<void> => {
    await Promise.all([processingSeen.promise, creatingSeen.promise]);
    media.control({ processing: { imageMs: 300 } });
    clock.aheadMs = PROCESSING_MS;
  };

  await Promise.all([
    imageFromEndToEnd(t, system, processingSeen.resolve),
    storyByItself(t, system),
    carouselWithBadChild(t, system, creatingSeen.resolve),
    refusedCreate(t, system),
    endProcessing(),
  ]);
  await readWithoutWorker(t, system);
});

async function imageFromEndToEnd(t: ExecutionContext, system: System, onProcessingSeen: () => void): Promise<void> {
  const account = await photoAccount(system);
  const userTags = [{ username: 'somebody', x: 0.25, y: 0.5 }];
  const body = { ...image, altText: 'A hill', locationId: '42', userTags };
  const created = await account.createUntilDecided(body);
  t.is(created.status, 201, JSON.stringify(created.body));
  const { containerId } = created.body;
  t.deepEqual(created.body, { channelId: account.channelId, containerId });
  t.is(created.headers.get('location'), `${account.path}/${containerId}`);

  await isProcessing(t, system, { account, containerId });
  onProcessingSeen();
  const finished = await account.reaches(containerId, 'finished');
  t.is(finished.platformContainerId, account.containers()[0]!.id);
  t.is(finished.nextCheckAt, finished.expiresAt);
  const [one, other] = await Promise.all([1, 2].map(() => account.publishUntilDecided(containerId)));
  t.is(one!.status, 200, JSON.stringify(one!.body));
  t.deepEqual(other!.body, one!.body);
  const [post, ...others] = account.posts();
  t.is(others.length, 0);
  t.deepEqual(one!.body, { ...created.body, mediaId: post!.id, permalink: post!.permalink });
  t.deepEqual((await account.publish(containerId)).body, one!.body, 'a repeated request gets the same answer');
  t.is(account.calls('publish').length, 1);
  t.deepEqual(readable(account.containers()[0]!.parameters), {
    image_url: image.imageUrl,
    caption: image.caption,
    alt_text: 'A hill',
    location_id: '42',
    user_tags: userTags,
  });
  t.like(await account.get(containerId), { status: 'published', mediaId: post!.id, nextCheckAt: null });
  await checkView(t, system, { account, containerId });
}

interface Made {
  readonly account: PhotoAccount;
  readonly containerId: string;
}

async function isProcessing(t: ExecutionContext, system: System, { account, containerId }: Made): Promise<void> {
  for (let asked = 0; asked < 3; asked++) {
    const early = await account.publishUntilDecided(containerId);
    t.is(early.status, 409);
    t.is(early.body.code, 'CONTAINER_NOT_READY');
    t.regex(early.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  const processing = await account.get(containerId);
  t.is(processing.status, 'in_progress');
  t.truthy(processing.nextCheckAt);
  const during = await viewWorkflow(system.temporal, containerWorkflowId(containerId));
  t.is(during.searchAttributes['ServiceState'], 'in_progress');
}

async function checkView(
  t: ExecutionContext,
  { temporal, tenant }: System,
  { account, containerId }: Made,
): Promise<void> {
  const workflowId = containerWorkflowId(containerId);
  const view = await until(
    async () => {
      const seen = await viewWorkflow(temporal, workflowId);
      return seen.status === 'COMPLETED' && seen;
    },
    { for: 'The end of the workflow' },
  );
  t.is(view.summary, `IMAGE of ${account.channelId}`);
  t.is(view.searchAttributes['ServiceState'], 'published');
  t.is(view.searchAttributes['ServiceChannelId'], account.channelId);
  t.is(view.searchAttributes['ServiceWorkspaceId'], tenant.workspace.publicId);
  t.deepEqual(view.steps.slice(0, 2), ['create the container', 'check 1 of the container']);
  t.regex(view.steps[2]!, /^check 2 of the container at \d{4}-\d\d-\d\dT[\d:.]+Z$/);
  t.deepEqual(view.steps.at(-1), 'publish');
  t.regex(view.steps.at(-2)!, /^expires at \d{4}-/);
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  const updates = events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length;
  t.true(updates === 2 || updates === 3, `the refused publishes leave no trace: ${updates} updates`);
}

async function storyByItself(t: ExecutionContext, system: System): Promise<void> {
  const account = await photoAccount(system);
  const story = { mediaType: 'STORIES', videoUrl: reel.videoUrl, autoPublish: true };
  const { body } = await account.createUntilDecided(story);
  // The worker reads and stores the permalink after the publish.
  const hasPermalink = async () => {
    const container = await account.get(body.containerId);
    return container.permalink !== null && container;
  };
  const published = await until(hasPermalink, { for: 'The permalink' });
  t.is(published.status, 'published');
  const [post] = account.posts();
  t.deepEqual(account.containers()[0]!.parameters, { media_type: 'STORIES', video_url: reel.videoUrl });
  t.is(published.permalink, post!.permalink);
}

async function carouselWithBadChild(t: ExecutionContext, system: System, onCreatingSeen: () => void): Promise<void> {
  const [good, bad] = await Promise.all([photoAccount(system), photoAccount(system)]);
  const match = { account: bad.resourceId, urlIncludes: '2.jpg' };
  system.platform.media.control({ outcomes: [{ match, subcode: 2207052, times: 1 }] });
  const tagged = { ...carousel, autoPublish: true, userTags: [{ username: 'somebody', x: 0, y: 1 }] };
  const made = await good.createUntilDecided(tagged);
  const failing = await bad.createUntilDecided({ ...carousel, autoPublish: true });
  t.is(made.status, 201, JSON.stringify(made.body));
  t.is(failing.status, 201, JSON.stringify(failing.body));
  t.is((await good.get(made.body.containerId)).status, 'creating', 'until the platform has accepted the carousel');
  onCreatingSeen();

  const failed = await bad.reaches(failing.body.containerId, 'error');
  t.regex(failed.statusDetail, /children\[1\].*2207052/);
  t.deepEqual(
    failed.children.map(({ status }: { status: string }) => status),
    ['finished', 'error'],
  );
  t.is(bad.calls('create').length, 2, 'a carousel with a failed child is not created');
  t.is((await bad.publish(failing.body.containerId)).body.code, 'CONTAINER_FAILED');

  const published = await good.reaches(made.body.containerId, 'published');
  t.is(published.containerId, made.body.containerId);
  const parts = good.containers();
  const [post] = good.posts();
  const first = parts.find(({ parameters }) => parameters['image_url']?.endsWith('1.jpg'))!;
  const second = parts.find(({ parameters }) => parameters['image_url']?.endsWith('2.jpg'))!;
  t.deepEqual(post!.children, [first.id, second.id], 'children keep the order of the request');
  t.is(post!.text, carousel.caption);
  t.deepEqual(readable(first.parameters)['user_tags'], [{ username: 'somebody', x: 0, y: 1 }]);
  t.is(second.parameters['user_tags'], undefined);
}

function readable(parameters: Readonly<Record<string, string>>): Record<string, unknown> {
  const entries = Object.entries(parameters).map(([name, text]) => [
    name,
    name === 'user_tags' ? JSON.parse(text) : text,
  ]);
  return Object.fromEntries(entries);
}

async function refusedCreate(t: ExecutionContext, system: System): Promise<void> {
  const refused = await photoAccount(system);
  const match = { account: refused.resourceId };
  const message = 'The image is too wide';
  system.platform.media.control({
    faults: [{ match, at: 'create', code: 36003, subcode: 2207009, message, times: 1 }],
  });
  const answer = await refused.createUntilDecided(image);
  t.is(answer.status, 422);
  t.is(answer.body.code, 'MEDIA_REJECTED');
  t.regex(answer.body.message, /36003.*2207009.*too wide/);
  const { statusDetail, status } = (await system.api.call(`GET ${answer.headers.get('location')}`)).body;
  t.is(status, 'error');
  t.regex(statusDetail, /too wide/);
}

async function readWithoutWorker(t: ExecutionContext, system: System): Promise<void> {
  const account = await photoAccount(system);
  const path = `GET ${account.path}`;
  const sinceMs = Date.now();
  const created = await account.createUntilDecided(image);
  const { containerId } = created.body;
  const finished = await account.reaches(containerId, 'finished');
  const live = await system.api.call(path);
  // The workflow and the row record the last check separately.
  const { checkedAt: _checkedAt, ...same } = finished;
  t.like(live.body, { containers: [same], nextCursor: null });
  await system.workers[0]!.kill9();
  const { checkedAt: checkedAtOfRow, ...row } = await account.get(containerId);
  t.deepEqual(row, same);
  const checkedAtMs = Date.parse(checkedAtOfRow);
  t.true(checkedAtMs >= sinceMs && checkedAtMs <= Date.now(), checkedAtOfRow);
  t.deepEqual((await system.api.call(`${path}?status=finished`)).body, live.body);
  t.deepEqual((await system.api.call(`${path}?status=published`)).body.containers, []);
}
