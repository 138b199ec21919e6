import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { choiceOption, addGroup, addCommand, parseTimeRange } from '../commands/arguments.ts';
import { showMetrics } from './content-view.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type Column, timeCell } from '../terminal/output.ts';
import {
  type ConversationOptions,
  type InsightOptions,
  periods,
  showConversations,
  withConversations,
} from './platform-lists.ts';
import type { Act, Run } from '../commands/run.ts';
import { addPhotoappActions } from './photoapp-actions.ts';

export function addPhotoapp(program: Command, act: Act): void {
  const photoapp = addGroup(program, 'photoapp', 'Manage content of photoapp channels');
  addCommand(photoapp, 'account <channel>', {
    summary: 'Show the account',
    examples: ['channels photoapp account ch_4fT9aPq2 --quota'],
  })
    .option('--quota', 'include the publishing quota')
    .action(act(account));
  addReads(photoapp, act);
  addFindings(photoapp, act);
  addPhotoappActions(photoapp, act);
}

function addReads(photoapp: Command, act: Act): void {
  withPages(
    addCommand(photoapp, 'media <channel>', {
      summary: 'List posts, stories or media that tag the account',
      examples: [
        'channels photoapp media ch_4fT9aPq2 --source stories',
        'channels photoapp media ch_4fT9aPq2 --media 17800000000000001',
      ],
    }),
  )
    .addOption(choiceOption('--source <which>', 'media to list (default: posts)', ['posts', 'stories', 'tagged']))
    .option('--media <id>', 'ID of one post, shown with its children')
    .action(act(media));
  withPages(
    addCommand(photoapp, 'comments <channel>', {
      summary: 'List comments on a post, or replies to a comment',
      examples: ['channels photoapp comments ch_4fT9aPq2 --media 17800000000000001'],
    }),
  )
    .option('--media <id>', 'ID of the post')
    .option('--comment <id>', 'ID of the comment')
    .action(act(comments));
  withConversations(
    addCommand(photoapp, 'conversations <channel>', {
      summary: 'List conversations, or show one with its messages',
      examples: ['channels photoapp conversations ch_4fT9aPq2'],
    }),
  ).action(act(conversations));
}

function addFindings(photoapp: Command, act: Act): void {
  withPages(
    addCommand(photoapp, 'mentions <channel>', {
      summary: 'List media that tag the account, or show a mention',
      examples: ['channels photoapp mentions ch_4fT9aPq2'],
    }),
  )
    .option('--media <id>', 'ID of a post whose caption mentions the account')
    .option('--comment <id>', 'ID of a comment that mentions the account')
    .action(act(mentions));
  addCommand(photoapp, 'insights <channel>', {
    summary: 'Show metrics of the account or a post',
    examples: ['channels photoapp insights ch_4fT9aPq2 --metrics reach,views --since 7d'],
  })
    .option('--media <id>', 'ID of a post (default: the whole account)')
    .option('--metrics <list>', 'platform metric names, comma-separated')
    .addOption(choiceOption('--period <period>', 'aggregation period, for account metrics only', periods))
    .addOption(choiceOption('--metric-type <type>', 'total value or time series', ['total_value', 'time_series']))
    .option('--breakdown <list>', 'dimensions to break totals down by')
    .option('--timeframe <name>', 'timeframe, required by some demographic metrics')
    .option('--since <time>', 'start time: 30m, 2h or 7d ago, or an ISO 8601 timestamp')
    .option('--until <time>', 'end time (default: now)')
    .action(act(insights));
}

async function account(run: Run, ch: string, { quota }: { quota?: boolean }): Promise<void> {
  const client = await run.client();
  const found = await client.get('/channels/{ch}/photoapp/account', {
    params: { path: { ch }, query: omitUndefined({ includePublishingLimit: quota ? 'true' : undefined }) },
  });
  run.output.record(found, [
    ['Account', found.accountId],
    ['Username', found.username],
    ['Name', found.name],
    ['Followers', found.followerCount],
    ['Following', found.followingCount],
    ['Media', found.mediaCount],
    ['Website', found.website],
    ...(found.quota ? [['API publishing quota', `${found.quota.used} of ${found.quota.total}`] as const] : []),
  ]);
}

const mediaColumns: readonly Column<Schema<'PhotoappMedia'>>[] = [
  { title: 'CREATED (UTC)', of: ({ createdAt }) => timeCell(createdAt) },
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
  const filters = omitUndefined({ source: options.source, mediaId: options.media });
  await showList(run, options, {
    name: 'media',
    columns: mediaColumns,
    empty: 'No media found.',
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
    throw usageError('Use either --media or --comment.');
  const client = await run.client();
  const filters = omitUndefined({ mediaId: options.media, commentId: options.comment });
  await showList(run, options, {
    name: 'comments',
    empty: 'No comments found.',
    columns: [
      { title: 'CREATED (UTC)', of: ({ createdAt }: Schema<'PhotoappComment'>) => timeCell(createdAt) },
      { title: 'COMMENT', of: ({ id }) => id },
      { title: 'AUTHOR', of: ({ username, fromId }) => username ?? fromId },
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
  const filters = omitUndefined({ mediaId: options.media, commentId: options.comment });
  await showList(run, options, {
    name: 'mentions',
    empty: 'No mentions found.',
    columns: [
      { title: 'MEDIA', of: ({ media: found }: Schema<'PhotoappMention'>) => found?.id },
      { title: 'AUTHOR', of: ({ media: found, comment }) => comment?.username ?? found?.username },
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
  const query = omitUndefined({
    mediaId,
    metrics,
    period,
    metricType,
    breakdown,
    timeframe,
    ...parseTimeRange(options, run.world),
  });
  const client = await run.client();
  showMetrics(run, await client.get('/channels/{ch}/photoapp/insights', { params: { path: { ch }, query } }));
}
