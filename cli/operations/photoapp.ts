import { group } from '../commands/definition.ts';
import { type Kind, oneOf, pages, required, span } from '../commands/flags.ts';
import { route } from '../commands/route.ts';
import { usageError } from '../terminal/failures.ts';
import { applied, commentAction, conversations, periods, replied, replyFlags, showMetrics } from './content.ts';

const ifSet: Kind<'true' | undefined> = { convert: (isSet: boolean | undefined) => (isSet ? 'true' : undefined) };

export const photoapp = group('photoapp', 'Manage content of photoapp channels', [
  route('account <channel>', 'GET /channels/{ch}/photoapp/account', {
    summary: 'Show the account',
    examples: 'ch_4fT9aPq2 --quota',
    flags: { includePublishingLimit: ['--quota', 'include the publishing quota', ifSet] },
    record: {
      Account: 'accountId',
      Username: 'username',
      Name: 'name',
      Followers: 'followerCount',
      Following: 'followingCount',
      Media: 'mediaCount',
      Website: 'website',
      'API publishing quota': ({ quota }) => (quota ? `${quota.used} of ${quota.total}` : undefined),
    },
  }),
  route('media <channel>', 'GET /channels/{ch}/photoapp/media', {
    summary: 'List posts, stories or media that tag the account',
    examples: ['ch_4fT9aPq2 --source stories', 'ch_4fT9aPq2 --media 17800000000000001'],
    flags: {
      ...pages,
      source: ['--source <which>', 'media to list (default: posts)', oneOf(['posts', 'stories', 'tagged'])],
      mediaId: ['--media <id>', 'ID of one post, shown with its children'],
    },
    columns: {
      'CREATED (UTC)': 'createdAt',
      MEDIA: 'id',
      TYPE: ({ mediaType, productType }) => [mediaType, productType].filter(Boolean).join(' '),
      LIKES: 'likeCount',
      COMMENTS: 'commentCount',
      PERMALINK: 'permalink',
      CAPTION: 'caption',
    },
  }),
  route('comments <channel>', 'GET /channels/{ch}/photoapp/comments', {
    summary: 'List comments on a post, or replies to a comment',
    examples: 'ch_4fT9aPq2 --media 17800000000000001',
    flags: {
      ...pages,
      mediaId: ['--media <id>', 'ID of the post'],
      commentId: ['--comment <id>', 'ID of the comment'],
    },
    input({ mediaId, commentId }) {
      if ((mediaId === undefined) === (commentId === undefined)) throw usageError('Use either --media or --comment.');
      return { mediaId, commentId };
    },
    columns: {
      'CREATED (UTC)': 'createdAt',
      COMMENT: 'id',
      AUTHOR: ({ username, fromId }) => username ?? fromId,
      HIDDEN: 'isHidden',
      TEXT: 'text',
    },
  }),
  route('conversations <channel>', 'GET /channels/{ch}/photoapp/conversations', conversations),
  route('mentions <channel>', 'GET /channels/{ch}/photoapp/mentions', {
    summary: 'List media that tag the account, or show a mention',
    flags: {
      ...pages,
      mediaId: ['--media <id>', 'ID of a post whose caption mentions the account'],
      commentId: ['--comment <id>', 'ID of a comment that mentions the account'],
    },
    columns: {
      MEDIA: ({ media }) => media?.id,
      AUTHOR: ({ media, comment }) => comment?.username ?? media?.username,
      COMMENT: ({ comment }) => comment?.id,
      PERMALINK: ({ media }) => media?.permalink,
      TEXT: ({ media, comment }) => comment?.text ?? media?.caption,
    },
  }),
  route('insights <channel>', 'GET /channels/{ch}/photoapp/insights', {
    summary: 'Show metrics of the account or a post',
    examples: 'ch_4fT9aPq2 --metrics reach,views --since 7d',
    flags: {
      mediaId: ['--media <id>', 'ID of a post (default: the whole account)'],
      metrics: ['--metrics <list>', 'platform metric names, comma-separated'],
      period: ['--period <period>', 'aggregation period, for account metrics only', periods],
      metricType: ['--metric-type <type>', 'total value or time series', oneOf(['total_value', 'time_series'])],
      breakdown: ['--breakdown <list>', 'dimensions to break totals down by'],
      timeframe: ['--timeframe <name>', 'timeframe, required by some demographic metrics'],
      ...span,
    },
    show: showMetrics,
  }),
  route('reply <channel> <comment>', 'POST /channels/{ch}/photoapp/comments/{commentId}/replies', {
    summary: 'Reply to a comment',
    examples: "ch_4fT9aPq2 17900000000000001 --text 'Thank you'",
    flags: { text: ['--text <text>', 'text of the reply', required()], ...replyFlags },
    input: (options) => ({ text: options.text, private: options.private === true }),
    done: replied,
  }),
  route('moderate-comment <channel> <comment> <action>', 'POST /channels/{ch}/photoapp/comments/{commentId}/moderate', {
    summary: 'Hide, unhide or delete a comment',
    examples: 'ch_4fT9aPq2 17900000000000001 hide',
    operands: commentAction,
    done: applied,
  }),
  route('moderate-media <channel> <media> <action>', 'POST /channels/{ch}/photoapp/media/{mediaId}/moderate', {
    summary: 'Enable or disable comments on a post',
    examples: 'ch_4fT9aPq2 17800000000000001 disable_comments',
    operands: { action: { text: 'moderation action', choices: ['enable_comments', 'disable_comments'] } },
    done: applied,
  }),
]);
