import { Argument, type Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { choiceOption, group, leaf, span } from '../commands/arguments.ts';
import { showMetrics, showReply } from './content-view.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { when } from '../terminal/output.ts';
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
  const pageapp = group(program, 'pageapp', 'What a Page shows, hears and says');
  leaf(pageapp, 'page <channel>', {
    summary: 'Shows the Page',
    examples: ['channels pageapp page ch_4fT9aPq2'],
  }).action(act(page));
  addReads(pageapp, act);
  addPublishing(pageapp, act);
  withReply(
    leaf(pageapp, 'reply <channel> <comment>', {
      summary: 'Replies to a comment',
      examples: ["channels pageapp reply ch_4fT9aPq2 1000_2000 --message 'Thank you' --private"],
    }),
    '--message',
  ).action(act(reply));
  leaf(pageapp, 'moderate-comment <channel> <comment>', {
    summary: 'Hides, shows or deletes a comment',
    examples: ['channels pageapp moderate-comment ch_4fT9aPq2 1000_2000 hide'],
  })
    .addArgument(new Argument('<action>', 'what to do').choices(commentActions))
    .action(act(moderateComment));
}

function addReads(pageapp: Command, act: Act): void {
  withPages(
    leaf(pageapp, 'posts <channel>', { summary: 'Lists the posts', examples: ['channels pageapp posts ch_4fT9aPq2'] }),
  ).action(act(posts));
  withPages(
    leaf(pageapp, 'comments <channel>', {
      summary: 'Lists the comments on a post, with the replies to them',
      examples: ['channels pageapp comments ch_4fT9aPq2 --post 1000_2000'],
    }),
  )
    .requiredOption('--post <id>', 'the post')
    .action(act(comments));
  withConversations(
    leaf(pageapp, 'conversations <channel>', {
      summary: 'Lists the conversations, or one with its messages',
      examples: ['channels pageapp conversations ch_4fT9aPq2'],
    }),
  ).action(act(conversations));
  leaf(pageapp, 'insights <channel>', {
    summary: 'Shows metrics of the Page or of a post',
    examples: ['channels pageapp insights ch_4fT9aPq2 --period day --since 7d'],
  })
    .option('--post <id>', 'of this post; of the Page unless given')
    .option('--metrics <list>', "the platform's names, comma-separated")
    .addOption(choiceOption('--period <period>', 'day for a Page unless given', periods))
    .option('--since <time>', '7d ago, or an instant')
    .option('--until <time>')
    .action(act(insights));
}

function addPublishing(pageapp: Command, act: Act): void {
  leaf(pageapp, 'publish <channel>', {
    summary: 'Publishes a text, link, photo or video',
    examples: [
      "channels pageapp publish ch_4fT9aPq2 --kind text --message 'Open again'",
      'channels pageapp publish ch_4fT9aPq2 --kind photo --media-url https://media.example.com/1.jpg',
    ],
  })
    .addOption(choiceOption('--kind <kind>', 'what it is', postKinds).makeOptionMandatory())
    .option('--message <text>', 'for text, link and photo')
    .option('--link <url>', 'for link')
    .option('--media-url <url>', 'for photo and video')
    .option('--description <text>', 'for video')
    .option('--idempotency-key <key>', 'makes a repeat harmless')
    .action(act(publish));
  leaf(pageapp, 'reel <channel>', {
    summary: 'Publishes a reel',
    examples: ['channels pageapp reel ch_4fT9aPq2 --video-url https://media.example.com/1.mp4'],
  })
    .requiredOption('--video-url <url>', 'a public https URL, which the platform fetches')
    .option('--description <text>')
    .option('--idempotency-key <key>', 'makes a repeat harmless')
    .action(act(reel));
  leaf(pageapp, 'delete-post <channel> <post>', {
    summary: 'Deletes a post',
    examples: ['channels pageapp delete-post ch_4fT9aPq2 1000_2000 --yes'],
  })
    .option('--yes', 'do not ask')
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
    empty: 'There are no posts.',
    columns: [
      { title: 'CREATED (UTC)', of: ({ createdAt }: Schema<'PageappPost'>) => when(createdAt) },
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
    empty: 'There are no comments.',
    columns: [
      { title: 'CREATED (UTC)', of: ({ createdAt }: Schema<'PageappComment'>) => when(createdAt) },
      { title: 'COMMENT', of: ({ id }) => id },
      { title: 'BY', of: ({ fromName, fromId }) => fromName ?? fromId },
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
  const query = given({ postId: post, metrics, period, ...span(options, run.world) });
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
    params: { path: { ch }, header: given({ 'Idempotency-Key': idempotencyKey }) },
    body: { kind, ...given({ message, link, mediaUrl, description }) },
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
  run.progress.show('The platform fetches the video');
  const answer = await client.post('/channels/{ch}/pageapp/reels', {
    params: { path: { ch }, header: given({ 'Idempotency-Key': idempotencyKey }) },
    body: { videoUrl, ...given({ description }) },
  });
  run.progress.end();
  run.output.done(answer, `Published ${answer.postId}.`);
}

async function deletePost(run: Run, ...[ch, postId, options]: [string, string, { yes?: boolean }]): Promise<void> {
  const client = await run.client();
  await confirm(run.world, `Delete the post ${postId}?`, options);
  const answer = await client.delete('/channels/{ch}/pageapp/posts/{postId}', { params: { path: { ch, postId } } });
  run.output.done(answer, `${postId} is deleted.`);
}

async function reply(
  run: Run,
  ...[ch, commentId, options]: [string, string, ReplyOptions & { message: string }]
): Promise<void> {
  const client = await run.client();
  const answer = await client.post('/channels/{ch}/pageapp/comments/{commentId}/replies', {
    params: { path: { ch, commentId }, header: given({ 'Idempotency-Key': options.idempotencyKey }) },
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
  run.output.done(answer, `${commentId}: ${action} done.`);
}
