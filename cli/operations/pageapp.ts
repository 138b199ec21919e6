import { Argument, type Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { choiceOption, addGroup, addCommand, parseTimeRange } from '../commands/arguments.ts';
import { showMetrics, showReply } from './content-view.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { timeCell } from '../terminal/output.ts';
import {
  type CommentAction,
  commentActions,
  type ConversationOptions,
  type InsightOptions,
  periods,
  type ReplyOptions,
  showConversations,
  withConversations,
  withReply,
} from './platform-lists.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

const postKinds = ['text', 'link', 'photo', 'video'] as const;

export function addPageapp(program: Command, act: Act): void {
  const pageapp = addGroup(program, 'pageapp', 'Manage content of pageapp channels');
  addCommand(pageapp, 'page <channel>', {
    summary: 'Show the Page',
    examples: ['channels pageapp page ch_4fT9aPq2'],
  }).action(act(page));
  addReads(pageapp, act);
  addPublishing(pageapp, act);
  withReply(
    addCommand(pageapp, 'reply <channel> <comment>', {
      summary: 'Reply to a comment',
      examples: ["channels pageapp reply ch_4fT9aPq2 1000_2000 --message 'Thank you' --private"],
    }),
    '--message',
  ).action(act(reply));
  addCommand(pageapp, 'moderate-comment <channel> <comment>', {
    summary: 'Hide, unhide or delete a comment',
    examples: ['channels pageapp moderate-comment ch_4fT9aPq2 1000_2000 hide'],
  })
    .addArgument(new Argument('<action>', 'moderation action').choices(commentActions))
    .action(act(moderateComment));
}

function addReads(pageapp: Command, act: Act): void {
  withPages(
    addCommand(pageapp, 'posts <channel>', { summary: 'List posts', examples: ['channels pageapp posts ch_4fT9aPq2'] }),
  ).action(act(posts));
  withPages(
    addCommand(pageapp, 'comments <channel>', {
      summary: 'List comments on a post, including replies',
      examples: ['channels pageapp comments ch_4fT9aPq2 --post 1000_2000'],
    }),
  )
    .requiredOption('--post <id>', 'ID of the post')
    .action(act(comments));
  withConversations(
    addCommand(pageapp, 'conversations <channel>', {
      summary: 'List conversations, or show one with its messages',
      examples: ['channels pageapp conversations ch_4fT9aPq2'],
    }),
  ).action(act(conversations));
  addCommand(pageapp, 'insights <channel>', {
    summary: 'Show metrics of the Page or a post',
    examples: ['channels pageapp insights ch_4fT9aPq2 --period day --since 7d'],
  })
    .option('--post <id>', 'ID of a post (default: the whole Page)')
    .option('--metrics <list>', 'platform metric names, comma-separated')
    .addOption(choiceOption('--period <period>', 'aggregation period (default for a Page: day)', periods))
    .option('--since <time>', 'start time: 30m, 2h or 7d ago, or an ISO 8601 timestamp')
    .option('--until <time>', 'end time (default: now)')
    .action(act(insights));
}

function addPublishing(pageapp: Command, act: Act): void {
  addCommand(pageapp, 'publish <channel>', {
    summary: 'Publish a text, link, photo or video post',
    examples: [
      "channels pageapp publish ch_4fT9aPq2 --kind text --message 'Open again'",
      'channels pageapp publish ch_4fT9aPq2 --kind photo --media-url https://media.example.com/1.jpg',
    ],
  })
    .addOption(choiceOption('--kind <kind>', 'kind of post', postKinds).makeOptionMandatory())
    .option('--message <text>', 'text of a text, link or photo post')
    .option('--link <url>', 'URL of a link post')
    .option('--media-url <url>', 'public https URL of the photo or video')
    .option('--description <text>', 'description of a video post')
    .option('--idempotency-key <key>', 'key that makes a retry safe')
    .action(act(publish));
  addCommand(pageapp, 'reel <channel>', {
    summary: 'Publish a reel',
    examples: ['channels pageapp reel ch_4fT9aPq2 --video-url https://media.example.com/1.mp4'],
  })
    .requiredOption('--video-url <url>', 'public https URL of the video')
    .option('--description <text>', 'description of the reel')
    .option('--idempotency-key <key>', 'key that makes a retry safe')
    .action(act(reel));
  addCommand(pageapp, 'delete-post <channel> <post>', {
    summary: 'Delete a post',
    examples: ['channels pageapp delete-post ch_4fT9aPq2 1000_2000 --yes'],
  })
    .option('--yes', 'skip the confirmation')
    .action(act(deletePost));
}

async function page(run: Run, ch: string): Promise<void> {
  const found = await (await run.client()).get('/channels/{ch}/pageapp/page', { params: { path: { ch } } });
  run.output.record(found, [
    ['Page', found.pageId],
    ['Name', found.name],
    ['Category', found.category],
    ['Followers', found.followers],
    ['Link', found.link],
  ]);
}

async function posts(run: Run, ch: string, options: PageOptions): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'posts',
    empty: 'No posts found.',
    columns: [
      { title: 'CREATED (UTC)', of: ({ createdAt }: Schema<'PageappPost'>) => timeCell(createdAt) },
      { title: 'POST', of: ({ id }) => id },
      { title: 'KIND', of: ({ type }) => type },
      { title: 'PERMALINK', of: ({ permalink }) => permalink },
      { title: 'MESSAGE', of: ({ message }) => message },
    ],
    read: (query) => client.get('/channels/{ch}/pageapp/posts', { params: { path: { ch }, query } }),
  });
}

async function comments(run: Run, ch: string, options: PageOptions & { readonly post: string }): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'comments',
    empty: 'No comments found.',
    columns: [
      { title: 'CREATED (UTC)', of: ({ createdAt }: Schema<'PageappComment'>) => timeCell(createdAt) },
      { title: 'COMMENT', of: ({ id }) => id },
      { title: 'AUTHOR', of: ({ fromName, fromId }) => fromName ?? fromId },
      { title: 'HIDDEN', of: ({ isHidden }) => isHidden },
      { title: 'REPLY TO', of: ({ parentId }) => parentId },
      { title: 'MESSAGE', of: ({ message }) => message },
    ],
    read: (query) =>
      client.get('/channels/{ch}/pageapp/comments', {
        params: { path: { ch }, query: { postId: options.post, ...query } },
      }),
  });
}

async function conversations(run: Run, ch: string, options: PageOptions & ConversationOptions): Promise<void> {
  const client = await run.client();
  await showConversations(run, options, (query) =>
    client.get('/channels/{ch}/pageapp/conversations', { params: { path: { ch }, query } }),
  );
}

async function insights(run: Run, ch: string, options: InsightOptions & { readonly post?: string }): Promise<void> {
  const { post, metrics, period } = options;
  const query = omitUndefined({ postId: post, metrics, period, ...parseTimeRange(options, run.world) });
  const client = await run.client();
  showMetrics(run, await client.get('/channels/{ch}/pageapp/insights', { params: { path: { ch }, query } }));
}

interface PublishOptions {
  readonly kind: (typeof postKinds)[number];
  readonly message?: string;
  readonly link?: string;
  readonly mediaUrl?: string;
  readonly description?: string;
  readonly idempotencyKey?: string;
}

async function publish(run: Run, ch: string, { idempotencyKey, ...post }: PublishOptions): Promise<void> {
  const { kind, message, link, mediaUrl, description } = post;
  const client = await run.client();
  const answer = await client.post('/channels/{ch}/pageapp/posts', {
    params: { path: { ch }, header: omitUndefined({ 'Idempotency-Key': idempotencyKey }) },
    body: { kind, ...omitUndefined({ message, link, mediaUrl, description }) },
  });
  run.output.done(answer, `Published ${answer.postId}.`);
}

interface ReelOptions {
  readonly videoUrl: string;
  readonly description?: string;
  readonly idempotencyKey?: string;
}

async function reel(run: Run, ch: string, { videoUrl, description, idempotencyKey }: ReelOptions): Promise<void> {
  const client = await run.client();
  run.progress.show('Publishing the reel');
  const answer = await client.post('/channels/{ch}/pageapp/reels', {
    params: { path: { ch }, header: omitUndefined({ 'Idempotency-Key': idempotencyKey }) },
    body: { videoUrl, ...omitUndefined({ description }) },
  });
  run.progress.end();
  run.output.done(answer, `Published ${answer.postId}.`);
}

async function deletePost(run: Run, ...[ch, postId, options]: [string, string, { yes?: boolean }]): Promise<void> {
  const client = await run.client();
  await confirm(run.world, `Delete post ${postId}?`, options);
  const answer = await client.delete('/channels/{ch}/pageapp/posts/{postId}', { params: { path: { ch, postId } } });
  run.output.done(answer, `Deleted ${postId}.`);
}

async function reply(
  run: Run,
  ...[ch, commentId, options]: [string, string, ReplyOptions & { message: string }]
): Promise<void> {
  const client = await run.client();
  const answer = await client.post('/channels/{ch}/pageapp/comments/{commentId}/replies', {
    params: { path: { ch, commentId }, header: omitUndefined({ 'Idempotency-Key': options.idempotencyKey }) },
    body: { message: options.message, private: options.private === true },
  });
  showReply(run, answer);
}

async function moderateComment(run: Run, ...[ch, commentId, action]: [string, string, CommentAction]): Promise<void> {
  const client = await run.client();
  const params = { path: { ch, commentId } };
  const answer = await client.post('/channels/{ch}/pageapp/comments/{commentId}/moderate', {
    params,
    body: { action },
  });
  run.output.done(answer, `Applied ${action} to ${commentId}.`);
}
