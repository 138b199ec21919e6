import { group } from '../commands/definition.ts';
import { idempotencyKey, oneOf, pages, required, span, yes } from '../commands/flags.ts';
import { route } from '../commands/route.ts';
import { applied, commentAction, conversations, periods, replied, replyFlags, showMetrics } from './content.ts';

const published = ({ postId }: { readonly postId: string }) => `Published ${postId}.`;

export const pageapp = group('pageapp', 'Manage content of pageapp channels', [
  route('page <channel>', 'GET /channels/{ch}/pageapp/page', {
    summary: 'Show the Page',
    record: { Page: 'pageId', Name: 'name', Category: 'category', Followers: 'followers', Link: 'link' },
  }),
  route('posts <channel>', 'GET /channels/{ch}/pageapp/posts', {
    summary: 'List posts',
    flags: pages,
    columns: { 'CREATED (UTC)': 'createdAt', POST: 'id', KIND: 'type', PERMALINK: 'permalink', MESSAGE: 'message' },
  }),
  route('comments <channel>', 'GET /channels/{ch}/pageapp/comments', {
    summary: 'List comments on a post, including replies',
    examples: 'ch_4fT9aPq2 --post 1000_2000',
    flags: { ...pages, postId: ['--post <id>', 'ID of the post', required()] },
    columns: {
      'CREATED (UTC)': 'createdAt',
      COMMENT: 'id',
      AUTHOR: ({ fromName, fromId }) => fromName ?? fromId,
      HIDDEN: 'isHidden',
      'REPLY TO': 'parentId',
      MESSAGE: 'message',
    },
  }),
  route('conversations <channel>', 'GET /channels/{ch}/pageapp/conversations', conversations),
  route('insights <channel>', 'GET /channels/{ch}/pageapp/insights', {
    summary: 'Show metrics of the Page or a post',
    examples: 'ch_4fT9aPq2 --period day --since 7d',
    flags: {
      postId: ['--post <id>', 'ID of a post (default: the whole Page)'],
      metrics: ['--metrics <list>', 'platform metric names, comma-separated'],
      period: ['--period <period>', 'aggregation period (default for a Page: day)', periods],
      ...span,
    },
    show: showMetrics,
  }),
  route('publish <channel>', 'POST /channels/{ch}/pageapp/posts', {
    summary: 'Publish a text, link, photo or video post',
    examples: [
      "ch_4fT9aPq2 --kind text --message 'Open again'",
      'ch_4fT9aPq2 --kind photo --media-url https://media.example.com/1.jpg',
    ],
    flags: {
      kind: ['--kind <kind>', 'kind of post', required(oneOf(['text', 'link', 'photo', 'video']))],
      message: ['--message <text>', 'text of a text, link or photo post'],
      link: ['--link <url>', 'URL of a link post'],
      mediaUrl: ['--media-url <url>', 'public https URL of the photo or video'],
      description: ['--description <text>', 'description of a video post'],
      ...idempotencyKey,
    },
    done: published,
  }),
  route('reel <channel>', 'POST /channels/{ch}/pageapp/reels', {
    summary: 'Publish a reel',
    examples: 'ch_4fT9aPq2 --video-url https://media.example.com/1.mp4',
    flags: {
      videoUrl: ['--video-url <url>', 'public https URL of the video', required()],
      description: ['--description <text>', 'description of the reel'],
      ...idempotencyKey,
    },
    progress: 'Publishing the reel',
    done: published,
  }),
  route('delete-post <channel> <post>', 'DELETE /channels/{ch}/pageapp/posts/{postId}', {
    summary: 'Delete a post',
    examples: 'ch_4fT9aPq2 1000_2000 --yes',
    flags: yes,
    confirm: ([, post]) => `Delete post ${post}?`,
    done: (_, [, post]) => `Deleted ${post}.`,
  }),
  route('reply <channel> <comment>', 'POST /channels/{ch}/pageapp/comments/{commentId}/replies', {
    summary: 'Reply to a comment',
    examples: "ch_4fT9aPq2 1000_2000 --message 'Thank you' --private",
    flags: { message: ['--message <text>', 'text of the reply', required()], ...replyFlags },
    input: (options) => ({ message: options.message, private: options.private === true }),
    done: replied,
  }),
  route('moderate-comment <channel> <comment> <action>', 'POST /channels/{ch}/pageapp/comments/{commentId}/moderate', {
    summary: 'Hide, unhide or delete a comment',
    examples: 'ch_4fT9aPq2 1000_2000 hide',
    operands: commentAction,
    done: applied,
  }),
]);
