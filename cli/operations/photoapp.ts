import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { choiceOption, group, leaf, span } from '../commands/arguments.ts';
import { showMetrics } from './content-view.ts';
import { usageError } from '../terminal/failures.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type Column, when } from '../terminal/output.ts';
import {
  type ConversationOptions,
  type InsightOptions,
  periods,
  showConversations,
  withConversations,
} from './platform-lists.ts';
import type { Act, Run } from '../commands/run.ts';
import { addPhotoappActs } from './photoapp-acts.ts';

export function addPhotoapp(program: Command, act: Act): void {
  const photoapp = group(program, 'photoapp', 'What a photo account shows, hears and says');
  leaf(photoapp, 'account <channel>', {
    summary: 'Shows the account',
    examples: ['channels photoapp account ch_4fT9aPq2 --quota'],
  })
    .option('--quota', 'how many posts are left today too')
    .action(act(account));
  addReads(photoapp, act);
  addFindings(photoapp, act);
  addPhotoappActs(photoapp, act);
}

function addReads(photoapp: Command, act: Act): void {
  withPages(
    leaf(photoapp, 'media <channel>', {
      summary: "Lists the account's posts or stories, or what others tag it in",
      examples: [
        'channels photoapp media ch_4fT9aPq2 --source stories',
        'channels photoapp media ch_4fT9aPq2 --media 17800000000000001',
      ],
    }),
  )
    .addOption(choiceOption('--source <which>', 'posts unless given', ['posts', 'stories', 'tagged']))
    .option('--media <id>', 'only this one, with its children')
    .action(act(media));
  withPages(
    leaf(photoapp, 'comments <channel>', {
      summary: 'Lists the comments on a media, or the replies to a comment',
      examples: ['channels photoapp comments ch_4fT9aPq2 --media 17800000000000001'],
    }),
  )
    .option('--media <id>', 'comments on this')
    .option('--comment <id>', 'replies to this')
    .action(act(comments));
  withConversations(
    leaf(photoapp, 'conversations <channel>', {
      summary: 'Lists the conversations, or one with its messages',
      examples: ['channels photoapp conversations ch_4fT9aPq2'],
    }),
  ).action(act(conversations));
}

function addFindings(photoapp: Command, act: Act): void {
  withPages(
    leaf(photoapp, 'mentions <channel>', {
      summary: 'Lists what tags the account, or what mentions it',
      examples: ['channels photoapp mentions ch_4fT9aPq2'],
    }),
  )
    .option('--media <id>', 'the media whose caption mentions it')
    .option('--comment <id>', 'the comment that mentions it')
    .action(act(mentions));
  leaf(photoapp, 'insights <channel>', {
    summary: 'Shows metrics of the account or of a media',
    examples: ['channels photoapp insights ch_4fT9aPq2 --metrics reach,views --since 7d'],
  })
    .option('--media <id>', 'of this media; of the account unless given')
    .option('--metrics <list>', "the platform's names, comma-separated")
    .addOption(choiceOption('--period <period>', 'of the account only', periods))
    .addOption(choiceOption('--metric-type <type>', 'a total, or values over time', ['total_value', 'time_series']))
    .option('--breakdown <list>', 'dimensions to split totals by')
    .option('--timeframe <name>', 'needed by some demographic metrics')
    .option('--since <time>', '7d ago, or an instant')
    .option('--until <time>')
    .action(act(insights));
}

async function account(run: Run, ch: string, { quota }: { quota?: boolean }): Promise<void> {
  const client = await run.client();
  const found = await client.get('/channels/{ch}/photoapp/account', {
    params: { path: { ch }, query: given({ includePublishingLimit: quota ? 'true' : undefined }) },
  });
  run.output.record(found, [
    ['Account', found.accountId],
    ['Username', found.username],
    ['Name', found.name],
    ['Followers', found.followerCount],
    ['Following', found.followingCount],
    ['Media', found.mediaCount],
    ['Website', found.website],
    ...(found.quota ? [['Posts by the API', `${found.quota.used} of ${found.quota.total}`] as const] : []),
  ]);
}

const mediaColumns: readonly Column<Schema<'PhotoappMedia'>>[] = [
  { title: 'CREATED (UTC)', of: ({ createdAt }) => when(createdAt) },
  { title: 'MEDIA', of: ({ id }) => id },
  { title: 'TYPE', of: ({ mediaType, productType }) => [mediaType, productType].filter(Boolean).join(' ') },
  { title: 'LIKES', of: ({ likeCount }) => likeCount },
  { title: 'COMMENTS', of: ({ commentCount }) => commentCount },
  { title: 'PERMALINK', of: ({ permalink }) => permalink },
  { title: 'CAPTION', of: ({ caption }) => caption },
];

interface MediaOptions extends PageOptions {
  readonly source?: 'posts' | 'stories' | 'tagged';
  readonly media?: string;
}

async function media(run: Run, ch: string, options: MediaOptions): Promise<void> {
  const client = await run.client();
  const filters = given({ source: options.source, mediaId: options.media });
  await showList(run, options, {
    name: 'media',
    columns: mediaColumns,
    empty: 'There is nothing.',
    read: (query) =>
      client.get('/channels/{ch}/photoapp/media', { params: { path: { ch }, query: { ...filters, ...query } } }),
  });
}

interface ObjectOptions extends PageOptions {
  readonly media?: string;
  readonly comment?: string;
}

async function comments(run: Run, ch: string, options: ObjectOptions): Promise<void> {
  if ((options.media === undefined) === (options.comment === undefined))
    throw usageError('Say either --media or --comment.');
  const client = await run.client();
  const filters = given({ mediaId: options.media, commentId: options.comment });
  await showList(run, options, {
    name: 'comments',
    empty: 'There are no comments.',
    columns: [
      { title: 'CREATED (UTC)', of: ({ createdAt }: Schema<'PhotoappComment'>) => when(createdAt) },
      { title: 'COMMENT', of: ({ id }) => id },
      { title: 'BY', of: ({ username, fromId }) => username ?? fromId },
      { title: 'HIDDEN', of: ({ isHidden }) => isHidden },
      { title: 'TEXT', of: ({ text }) => text },
    ],
    read: (query) =>
      client.get('/channels/{ch}/photoapp/comments', { params: { path: { ch }, query: { ...filters, ...query } } }),
  });
}

async function conversations(run: Run, ch: string, options: PageOptions & ConversationOptions): Promise<void> {
  const client = await run.client();
  await showConversations(run, options, (query) =>
    client.get('/channels/{ch}/photoapp/conversations', { params: { path: { ch }, query } }),
  );
}

async function mentions(run: Run, ch: string, options: ObjectOptions): Promise<void> {
  const client = await run.client();
  const filters = given({ mediaId: options.media, commentId: options.comment });
  await showList(run, options, {
    name: 'mentions',
    empty: 'There are no mentions.',
    columns: [
      { title: 'MEDIA', of: ({ media: found }: Schema<'PhotoappMention'>) => found?.id },
      { title: 'BY', of: ({ media: found, comment }) => comment?.username ?? found?.username },
      { title: 'COMMENT', of: ({ comment }) => comment?.id },
      { title: 'PERMALINK', of: ({ media: found }) => found?.permalink },
      { title: 'TEXT', of: ({ media: found, comment }) => comment?.text ?? found?.caption },
    ],
    read: (query) =>
      client.get('/channels/{ch}/photoapp/mentions', { params: { path: { ch }, query: { ...filters, ...query } } }),
  });
}

interface PhotoInsightOptions extends InsightOptions {
  readonly media?: string;
  readonly metricType?: 'total_value' | 'time_series';
  readonly breakdown?: string;
  readonly timeframe?: string;
}

async function insights(run: Run, ch: string, options: PhotoInsightOptions): Promise<void> {
  const { media: mediaId, metrics, period, metricType, breakdown, timeframe } = options;
  const query = given({ mediaId, metrics, period, metricType, breakdown, timeframe, ...span(options, run.world) });
  const client = await run.client();
  showMetrics(run, await client.get('/channels/{ch}/photoapp/insights', { params: { path: { ch }, query } }));
}
