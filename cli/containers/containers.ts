import { type Command, Option } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { containerStatuses, type ContainerStatus } from '../../contract/containers/status.ts';
import { mediaTypes } from '../../contract/containers/media-types.ts';
import {
  choiceOption,
  addGroup,
  addCommand,
  collectValues,
  parseDueTime,
  parseWholeNumber,
} from '../commands/arguments.ts';
import { containerInput, type ContainerOptions } from './container-input.ts';
import { addScheduledPosts, showScheduledPost } from '../scheduled/scheduled.ts';
import { showContainer, statusCell, waitForContainer } from './container-wait.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { usageError } from '../terminal/failures.ts';
import { timeCell } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';

export function addContainers(program: Command, act: Act): void {
  const containers = addGroup(program, 'containers', 'Manage media containers of photoapp channels');
  addCreate(containers, act);
  addScheduledPosts(containers, act, ({ world }, { input }) => containerInput(world, omitUndefined({ input })));
  const command = addCommand(containers, 'list <channel>', {
    summary: 'List media containers, newest first',
    examples: ['channels containers list ch_4fT9aPq2 --status finished'],
  });
  withPages(command)
    .addOption(choiceOption('--status <status>', 'status to show', containerStatuses))
    .action(act(list));
  addCommand(containers, 'show <channel> <container>', {
    summary: 'Show a media container',
    examples: ['channels containers show ch_4fT9aPq2 ctr_8kLm3Qz1'],
  }).action(act(async (run, ch: string, ctr: string) => showContainer(run, await read(run, ch, ctr))));
  addCommand(containers, 'wait <channel> <container>', {
    summary: 'Wait until a container can be published',
    examples: [
      'channels containers wait ch_4fT9aPq2 ctr_8kLm3Qz1 && channels containers publish ch_4fT9aPq2 ctr_8kLm3Qz1',
    ],
  })
    .option('--published', 'wait until the container is published')
    .action(act(wait));
  addCommand(containers, 'publish <channel> <container>', {
    summary: 'Publish a finished container; safe to repeat',
    examples: ['channels containers publish ch_4fT9aPq2 ctr_8kLm3Qz1 --wait'],
  })
    .option('--wait', 'wait until the container can be published')
    .action(act(publish));
}

function addCreate(containers: Command, act: Act): void {
  addCommand(containers, 'create <channel>', {
    summary: 'Create a media container',
    examples: [
      'channels containers create ch_4fT9aPq2 --type IMAGE --image-url https://media.example.com/1.jpg --caption Hill --wait',
      'channels containers create ch_4fT9aPq2 --type REELS --video-url https://media.example.com/1.mp4 --auto-publish --wait',
      'channels containers create ch_4fT9aPq2 --type CAROUSEL --child image=https://media.example.com/1.jpg --child video=https://media.example.com/2.mp4',
      'channels containers create ch_4fT9aPq2 --input post.json --idempotency-key post-17',
      'channels containers create ch_4fT9aPq2 --input post.json --publish-at 2026-12-24T08:00:00Z',
    ],
  })
    .addOption(choiceOption('--type <type>', 'media type', mediaTypes))
    .option('--image-url <url>', 'public https URL of the image')
    .option('--video-url <url>', 'public https URL of the video')
    .option('--caption <text>', 'caption of the post')
    .option('--cover-url <url>', 'public https URL of the image shown before the video plays')
    .option('--alt-text <text>', "description for people who can't see the image")
    .option('--location-id <id>', 'ID of a Page that has a location')
    .option('--audio-name <name>', 'name of the audio')
    .option('--share-to-feed', 'share a reel to the feed as well')
    .addOption(new Option('--no-share-to-feed', 'do not share a reel to the feed').default(undefined))
    .option('--thumb-offset <ms>', 'position of the thumbnail frame in milliseconds', parseWholeNumber)
    .option('--child <kind=url>', 'carousel item, image=… or video=…; repeatable, in order', collectValues)
    .option('--user-tag <name,x,y>', 'tagged user, optionally with a position; repeatable', collectValues)
    .addOption(
      choiceOption('--trial <strategy>', "trial reel, first shown to people who don't follow the account", [
        'manual',
        'automatic',
      ]),
    )
    .option('--trial-params <json>', 'further trial parameters as a JSON object')
    .option('--input <file>', 'request as a JSON file; - reads standard input')
    .option('--auto-publish', 'publish automatically when ready')
    .option('--publish-at <time>', 'schedule the post: 30m, 2h or 7d from now, or an ISO 8601 timestamp')
    .option('--wait', 'wait until the container can be published, or with --auto-publish is published')
    .option('--idempotency-key <key>', 'key that makes a retry safe')
    .action(act(create));
}

type ContainerBody = Schema<'MediaContainerInput'>;

interface CreateOptions extends ContainerOptions {
  readonly wait?: boolean;
  readonly publishAt?: string;
  readonly idempotencyKey?: string;
}

async function schedule(
  run: Run,
  ch: string,
  { publishAt = '', wait, idempotencyKey, container }: CreateOptions & { readonly container: ContainerBody },
): Promise<void> {
  if (wait) throw usageError('--publish-at cannot be combined with --wait.');
  const body = { publishAt: parseDueTime(publishAt, run.world), container };
  const client = await run.client();
  const params = { path: { ch }, header: omitUndefined({ 'Idempotency-Key': idempotencyKey }) };
  showScheduledPost(run, await client.post('/channels/{ch}/photoapp/scheduled-posts', { params, body }));
}

async function create(run: Run, ch: string, options: CreateOptions): Promise<void> {
  const body = await containerInput(run.world, options);
  if (options.publishAt !== undefined) return await schedule(run, ch, { ...options, container: body });
  const client = await run.client();
  run.progress.show('Creating the container');
  const made = await client.post('/channels/{ch}/photoapp/containers', {
    params: { path: { ch }, header: omitUndefined({ 'Idempotency-Key': options.idempotencyKey }) },
    body,
  });
  run.progress.end();
  const { containerId } = made;
  if (!options.wait) {
    return run.output.done(
      made,
      `Created ${containerId}. Wait for it with \`channels containers wait ${ch} ${containerId}\`.`,
    );
  }
  run.output.note(`Created ${containerId}. Ctrl-C stops waiting but keeps the container.`);
  const isPublished = body.autoPublish === true;
  showContainer(run, await waitForContainer(run, { read: () => read(run, ch, containerId), isPublished }));
}

async function read(run: Run, ch: string, ctr: string): Promise<Schema<'MediaContainer'>> {
  return await (await run.client()).get('/channels/{ch}/photoapp/containers/{ctr}', { params: { path: { ch, ctr } } });
}

async function list(run: Run, ch: string, options: PageOptions & { readonly status?: ContainerStatus }): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'containers',
    empty: 'No containers found.',
    columns: [
      { title: 'CREATED (UTC)', of: ({ createdAt }: Schema<'MediaContainer'>) => timeCell(createdAt) },
      { title: 'CONTAINER', of: ({ containerId }) => containerId },
      { title: 'TYPE', of: ({ mediaType }) => mediaType },
      { title: 'STATUS', of: statusCell },
      { title: 'PERMALINK', of: ({ permalink }) => permalink },
      { title: 'CAPTION', of: ({ caption }) => caption },
    ],
    read: (query) =>
      client.get('/channels/{ch}/photoapp/containers', {
        params: { path: { ch }, query: { ...query, ...omitUndefined({ status: options.status }) } },
      }),
  });
}

async function wait(
  run: Run,
  ...[ch, ctr, { published = false }]: [string, string, { published?: boolean }]
): Promise<void> {
  showContainer(run, await waitForContainer(run, { read: () => read(run, ch, ctr), isPublished: published }));
}

async function publish(run: Run, ...[ch, ctr, options]: [string, string, { wait?: boolean }]): Promise<void> {
  const client = await run.client();
  const post = () => client.post('/channels/{ch}/photoapp/containers/{ctr}/publish', { params: { path: { ch, ctr } } });
  run.progress.show('Publishing');
  const published = await post().catch(async (error: unknown) => {
    if (!options.wait || !(error instanceof ApiError) || error.code !== 'CONTAINER_NOT_READY') throw error;
    await waitForContainer(run, { read: () => read(run, ch, ctr), isPublished: false });
    return await post();
  });
  run.progress.end();
  run.output.record(published, [
    ['Published', { text: published.containerId, tone: 'good' }],
    ['Media', published.mediaId ?? 'unknown; check the account'],
    ['Permalink', published.permalink],
  ]);
}
