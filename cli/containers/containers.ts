import { type Command, Option } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { containerStatuses, type ContainerStatus } from '../../contract/containers/status.ts';
import { mediaTypes } from '../../contract/containers/media-types.ts';
import { choiceOption, group, leaf, repeated, wholeNumber } from '../commands/arguments.ts';
import { containerInput, type ContainerOptions } from './container-input.ts';
import { showContainer, shownStatus, waitForContainer } from './container-wait.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { when } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';

export function addContainers(program: Command, act: Act): void {
  const containers = group(program, 'containers', 'Posts of a photoapp channel, from upload to publication');
  addCreate(containers, act);
  const command = leaf(containers, 'list <channel>', {
    summary: 'Lists the media containers, newest first',
    examples: ['channels containers list ch_4fT9aPq2 --status finished'],
  });
  withPages(command)
    .addOption(choiceOption('--status <status>', 'in this state', containerStatuses))
    .action(act(list));
  leaf(containers, 'show <channel> <container>', {
    summary: 'Shows a media container',
    examples: ['channels containers show ch_4fT9aPq2 ctr_8kLm3Qz1'],
  }).action(act(async (run, ch: string, ctr: string) => showContainer(run, await read(run, ch, ctr))));
  leaf(containers, 'wait <channel> <container>', {
    summary: 'Waits until the container can be published, or has ended',
    examples: [
      'channels containers wait ch_4fT9aPq2 ctr_8kLm3Qz1 && channels containers publish ch_4fT9aPq2 ctr_8kLm3Qz1',
    ],
  })
    .option('--published', 'wait until it is published, not only until it can be')
    .action(act(wait));
  leaf(containers, 'publish <channel> <container>', {
    summary: 'Publishes a finished container, once however often it is asked for',
    examples: ['channels containers publish ch_4fT9aPq2 ctr_8kLm3Qz1 --wait'],
  })
    .option('--wait', 'wait until it can be published')
    .action(act(publish));
}

function addCreate(containers: Command, act: Act): void {
  leaf(containers, 'create <channel>', {
    summary: 'Makes a media container',
    examples: [
      'channels containers create ch_4fT9aPq2 --type IMAGE --image-url https://media.example.com/1.jpg --caption Hill --wait',
      'channels containers create ch_4fT9aPq2 --type REELS --video-url https://media.example.com/1.mp4 --auto-publish --wait',
      'channels containers create ch_4fT9aPq2 --type CAROUSEL --child image=https://media.example.com/1.jpg --child video=https://media.example.com/2.mp4',
      'channels containers create ch_4fT9aPq2 --input post.json --idempotency-key post-17',
    ],
  })
    .addOption(choiceOption('--type <type>', 'what it is', mediaTypes))
    .option('--image-url <url>', 'a public https URL, which the platform fetches')
    .option('--video-url <url>', 'a public https URL, which the platform fetches')
    .option('--caption <text>')
    .option('--cover-url <url>', 'shown before the video plays')
    .option('--alt-text <text>', 'for those who do not see the image')
    .option('--location-id <id>', 'a Page that has a place')
    .option('--audio-name <name>', 'name of the sound')
    .option('--share-to-feed', 'show a reel in the feed too')
    .addOption(new Option('--no-share-to-feed', 'do not').default(undefined))
    .option('--thumb-offset <ms>', 'the frame to show first', wholeNumber)
    .option('--child <kind=url>', 'of a carousel, in order: image=… or video=…', repeated)
    .option('--user-tag <name,x,y>', 'whom it shows, and where', repeated)
    .addOption(
      choiceOption('--trial <strategy>', 'show a reel to people who do not follow the account first', [
        'manual',
        'automatic',
      ]),
    )
    .option('--input <file>', 'the whole request as JSON; - for standard input')
    .option('--auto-publish', 'publish as soon as it is finished')
    .option('--wait', 'wait until it can be published, or is')
    .option('--idempotency-key <key>', 'makes a repeat harmless: the same key, the same container')
    .action(act(create));
}

interface CreateOptions extends ContainerOptions {
  readonly wait?: boolean;
  readonly idempotencyKey?: string;
}

async function create(run: Run, ch: string, options: CreateOptions): Promise<void> {
  const body = await containerInput(run.world, options);
  const client = await run.client();
  run.progress.show('The platform takes it');
  const made = await client.post('/channels/{ch}/photoapp/containers', {
    params: { path: { ch }, header: given({ 'Idempotency-Key': options.idempotencyKey }) },
    body,
  });
  run.progress.end();
  const { containerId } = made;
  if (!options.wait) {
    return run.output.done(
      made,
      `${containerId} is being made; see \`channels containers wait ${ch} ${containerId}\`.`,
    );
  }
  run.output.note(`${containerId} is being made. Ctrl-C ends the waiting, not the container.`);
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
    empty: 'There are no such containers.',
    columns: [
      { title: 'CREATED (UTC)', of: ({ createdAt }: Schema<'MediaContainer'>) => when(createdAt) },
      { title: 'CONTAINER', of: ({ containerId }) => containerId },
      { title: 'TYPE', of: ({ mediaType }) => mediaType },
      { title: 'STATUS', of: shownStatus },
      { title: 'PERMALINK', of: ({ permalink }) => permalink },
      { title: 'CAPTION', of: ({ caption }) => caption },
    ],
    read: (query) =>
      client.get('/channels/{ch}/photoapp/containers', {
        params: { path: { ch }, query: { ...query, ...given({ status: options.status }) } },
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
    ['Media', published.mediaId ?? 'not known: see the account itself'],
    ['Permalink', published.permalink],
  ]);
}
