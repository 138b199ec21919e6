import type { Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { scheduledPostStatuses } from '../../contract/scheduled/scheduled.ts';
import { containerStatuses } from '../../contract/containers/status.ts';
import { command, group } from '../commands/definition.ts';
import { due, idempotencyKey, oneOf, pages, yes } from '../commands/flags.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { route } from '../commands/route.ts';
import type { Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';
import { fieldsOf, toned, type View } from '../terminal/output.ts';
import { containerFlags, containerInput } from './container-input.ts';
import { waitForContainer } from './container-wait.ts';

type Container = Schema<'MediaContainer'>;

const status = toned('status', {
  creating: 'busy',
  in_progress: 'busy',
  finished: 'good',
  publishing: 'busy',
  published: 'good',
  error: 'bad',
  expired: 'bad',
  unknown: 'bad',
});

const beforeChildren: View<Container> = {
  Container: 'containerId',
  Status: status,
  Detail: 'statusDetail',
  Type: 'mediaType',
  Caption: 'caption',
};
const afterChildren: View<Container> = {
  Media: 'mediaId',
  Permalink: 'permalink',
  'Created (UTC)': 'createdAt',
  'Next check': 'nextCheckAt',
  Expires: 'expiresAt',
  Published: 'publishedAt',
};

function showContainer({ output, progress }: Run, container: Container): void {
  progress.end();
  output.record(container, [
    ...fieldsOf(beforeChildren, container),
    ...(container.children ?? []).map(
      (child) => [`Child ${child.index + 1}`, `${child.status}  ${child.imageUrl ?? child.videoUrl}`] as const,
    ),
    ...fieldsOf(afterChildren, container),
  ]);
}

const postStatus = toned('status', { scheduled: 'busy', started: 'good', failed: 'bad', cancelled: 'quiet' });

const post: View<Schema<'ScheduledPost'>> = {
  'Scheduled post': 'scheduledPostId',
  Status: postStatus,
  Reason: 'reason',
  Detail: 'statusDetail',
  'Publish at (UTC)': 'publishAt',
  Container: 'containerId',
  Content: ({ container }) => container && JSON.stringify(container),
  'Scheduled by': 'createdBy',
  'Created (UTC)': 'createdAt',
  'Ended (UTC)': 'endedAt',
};

const create = command('create <channel>', {
  summary: 'Create a media container',
  examples: [
    'ch_4fT9aPq2 --type IMAGE --image-url https://media.example.com/1.jpg --caption Hill --wait',
    'ch_4fT9aPq2 --type REELS --video-url https://media.example.com/1.mp4 --auto-publish --wait',
    'ch_4fT9aPq2 --type CAROUSEL --child image=https://media.example.com/1.jpg --child video=https://media.example.com/2.mp4',
    'ch_4fT9aPq2 --input post.json --idempotency-key post-17',
    'ch_4fT9aPq2 --input post.json --publish-at 2026-12-24T08:00:00Z',
  ],
  flags: {
    ...containerFlags,
    publishAt: ['--publish-at <time>', 'schedule the post: 30m, 2h or 7d from now, or an ISO 8601 timestamp', due],
    wait: ['--wait', 'wait until the container can be published, or with --auto-publish is published'],
    ...idempotencyKey,
  },
  async run(run, [ch], { publishAt, wait, idempotencyKey: key, ...options }) {
    const body = await containerInput(run, options);
    const client = await run.client();
    const params = { path: { ch }, header: omitUndefined({ 'Idempotency-Key': key }) };
    if (publishAt !== undefined) {
      if (wait) throw usageError('--publish-at cannot be combined with --wait.');
      const scheduling = { params, body: { publishAt, container: body } };
      const scheduled = await client.post('/channels/{ch}/photoapp/scheduled-posts', scheduling);
      return run.output.record(scheduled, fieldsOf(post, scheduled));
    }
    run.progress.show('Creating the container');
    const made = await client.post('/channels/{ch}/photoapp/containers', { params, body });
    run.progress.end();
    const ctr = made.containerId;
    if (!wait) {
      const hint = `Wait for it with \`channels containers wait ${ch} ${ctr}\`.`;
      return run.output.done(made, `Created ${ctr}. ${hint}`);
    }
    run.output.note(`Created ${ctr}. Ctrl-C stops waiting but keeps the container.`);
    showContainer(run, await waitForContainer(run, { ch, ctr, isPublished: body.autoPublish === true }));
  },
});

const scheduled = group('scheduled', 'Manage posts that are published later', [
  route('list <channel>', 'GET /channels/{ch}/photoapp/scheduled-posts', {
    summary: 'List scheduled posts, newest first',
    examples: 'ch_4fT9aPq2 --status scheduled',
    flags: { ...pages, status: ['--status <status>', 'status to show', oneOf(scheduledPostStatuses)] },
    columns: {
      'PUBLISH AT (UTC)': 'publishAt',
      POST: 'scheduledPostId',
      STATUS: postStatus,
      CONTAINER: 'containerId',
      DETAIL: 'statusDetail',
    },
  }),
  route('show <channel> <post>', 'GET /channels/{ch}/photoapp/scheduled-posts/{sp}', {
    summary: 'Show a scheduled post',
    examples: 'ch_4fT9aPq2 sp_8kLm3Qz1',
    record: post,
  }),
  route('change <channel> <post>', 'PATCH /channels/{ch}/photoapp/scheduled-posts/{sp}', {
    summary: 'Change the time or the content of a post that has not started',
    examples: ['ch_4fT9aPq2 sp_8kLm3Qz1 --publish-at 2h', 'ch_4fT9aPq2 sp_8kLm3Qz1 --input post.json'],
    flags: {
      publishAt: ['--publish-at <time>', 'new time: 30m, 2h or 7d from now, or an ISO 8601 timestamp', due],
      input: ['--input <file>', 'new content as a JSON file; - reads standard input'],
    },
    input: async ({ publishAt, input }, _, run) => ({
      publishAt,
      container: input === undefined ? undefined : await containerInput(run, { input }),
    }),
    unchanged: 'Nothing to change. Use --publish-at or --input.',
    record: post,
  }),
  route('cancel <channel> <post>', 'POST /channels/{ch}/photoapp/scheduled-posts/{sp}/cancel', {
    summary: 'Cancel a post that has not started',
    examples: 'ch_4fT9aPq2 sp_8kLm3Qz1',
    flags: yes,
    confirm: ([, sp]) => `Cancel ${sp}?`,
    done: (_, [, sp]) => `${sp} is cancelled.`,
  }),
]);

export const containers = group('containers', 'Manage media containers of photoapp channels', [
  create,
  scheduled,
  route('list <channel>', 'GET /channels/{ch}/photoapp/containers', {
    summary: 'List media containers, newest first',
    examples: 'ch_4fT9aPq2 --status finished',
    flags: { ...pages, status: ['--status <status>', 'status to show', oneOf(containerStatuses)] },
    columns: {
      'CREATED (UTC)': 'createdAt',
      CONTAINER: 'containerId',
      TYPE: 'mediaType',
      STATUS: status,
      PERMALINK: 'permalink',
      CAPTION: 'caption',
    },
  }),
  route('show <channel> <container>', 'GET /channels/{ch}/photoapp/containers/{ctr}', {
    summary: 'Show a media container',
    show: showContainer,
  }),
  command('wait <channel> <container>', {
    summary: 'Wait until a container can be published',
    examples:
      'channels containers wait ch_4fT9aPq2 ctr_8kLm3Qz1 && channels containers publish ch_4fT9aPq2 ctr_8kLm3Qz1',
    flags: { published: ['--published', 'wait until the container is published'] },
    async run(run, [ch, ctr], { published = false }) {
      showContainer(run, await waitForContainer(run, { ch, ctr, isPublished: published }));
    },
  }),
  command('publish <channel> <container>', {
    summary: 'Publish a finished container; safe to repeat',
    examples: 'ch_4fT9aPq2 ctr_8kLm3Qz1 --wait',
    flags: { wait: ['--wait', 'wait until the container can be published'] },
    async run(run, [ch, ctr], { wait }) {
      const client = await run.client();
      const publish = () =>
        client.post('/channels/{ch}/photoapp/containers/{ctr}/publish', { params: { path: { ch, ctr } } });
      run.progress.show('Publishing');
      const published = await publish().catch(async (error: unknown) => {
        if (!wait || !(error instanceof ApiError) || error.code !== 'CONTAINER_NOT_READY') throw error;
        await waitForContainer(run, { ch, ctr, isPublished: false });
        return await publish();
      });
      run.progress.end();
      run.output.record(published, [
        ['Published', { text: published.containerId, tone: 'good' }],
        ['Media', published.mediaId ?? 'unknown; check the account'],
        ['Permalink', published.permalink],
      ]);
    },
  }),
]);
