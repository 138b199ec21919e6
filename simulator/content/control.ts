import { z } from 'zod';
import { checkFault, faultFields } from '../scripted-api/fault.ts';
import { commonControls } from '../scripted-api/script.ts';
import { postTypes } from './objects/store.ts';

const contentOperations = [
  ...(['read', 'list', 'insights', 'comment', 'reply', 'hide', 'delete_comment', 'comment_setting'] as const),
  ...(['post', 'photo', 'video', 'reel_start', 'reel_upload', 'reel_finish', 'delete_post'] as const),
  ...(['like', 'story', 'mention'] as const),
];

const id = z.string().regex(/^[A-Za-z0-9_.=-]{1,200}$/, 'must be an id: letters, digits, and _ . = -');
const atMs = z.int().min(0).max(1e14);
const text = z.string().max(10_000);

const contentFault = z
  .strictObject({
    ...faultFields,
    at: z.enum(contentOperations).optional(),
    match: z
      .strictObject({
        product: z.enum(['photoapp', 'pageapp']).optional(),
        account: id.optional(),
        id: id.optional(),
        edge: z.string().optional(),
        metric: z.string().optional(),
      })
      .optional(),
    /** 190/463; 200 or 10; 32 or 80002. `code` overrides the code. */
    refusal: z.enum(['deadToken', 'missingPermission', 'throttled']).optional(),
    regainAccessMinutes: z.int().min(0).optional(),
    wrongBody: z.enum(['empty', 'html']).optional(),
  })
  .superRefine(checkFault({ refusals: ['refusal', 'code'] }));
export type ContentFault = z.output<typeof contentFault>;

const insightOverride = z.strictObject({
  metric: z.string().min(1),
  objectId: id.optional(),
  value: z.number().optional(),
  /** Omits the metric, or refuses the call with code 10 or 100. */
  missing: z.enum(['empty', 'tooFew', 'unknown']).optional(),
});
export type InsightOverride = z.output<typeof insightOverride>;

const author = z.strictObject({ id, name: z.string() });
const newAccount = z.strictObject({
  id,
  product: z.enum(['photoapp', 'pageapp']),
  name: z.string(),
  username: z.string().optional(),
  linkedId: id.optional(),
  followerCount: z.int().min(0).optional(),
});
const newPost = z.strictObject({
  id: id.optional(),
  accountId: id,
  type: z.enum(postTypes).optional(),
  text: text.optional(),
  link: z.string().optional(),
  mediaUrl: z.string().optional(),
  createdAtMs: atMs.optional(),
  viewerCount: z.int().min(0).optional(),
  taggedIds: z.array(id).optional(),
});
const newComment = z.strictObject({
  id: id.optional(),
  postId: id,
  parentId: id.optional(),
  from: author.optional(),
  text: text.optional(),
  createdAtMs: atMs.optional(),
  isHidden: z.boolean().optional(),
  isSent: z.boolean().optional(),
});
const newThread = z.strictObject({
  id: id.optional(),
  accountId: id,
  participant: author.optional(),
  unreadCount: z.int().min(0).optional(),
  messages: z
    .array(z.strictObject({ text, isFromAccount: z.boolean().optional(), createdAtMs: atMs.optional() }))
    .optional(),
});

/** The body of `POST /control/content`. Omitted fields keep their value; lists are replaced. */
export const contentControl = z.strictObject({
  ...commonControls,
  /** The account or Page behind `/me`, by token. */
  tokens: z.record(z.string(), id).optional(),
  echoes: z.boolean().optional(),
  commentShape: z.enum(['changes', 'entry']).optional(),
  videos: z
    .strictObject({
      processingMs: z.int().min(0).max(604_800_000).optional(),
      problem: z.string().nullish(),
      answersPostId: z.boolean().optional(),
      /** Per Page in 24 hours. */
      reelLimit: z.int().min(0).optional(),
    })
    .optional(),
  insights: z.array(insightOverride).max(1_000).optional(),
  faults: z.array(contentFault).max(1_000).optional(),
  add: z
    .strictObject({
      accounts: z.array(newAccount).max(1_000).optional(),
      posts: z.array(newPost).max(10_000).optional(),
      comments: z.array(newComment).max(10_000).optional(),
      threads: z.array(newThread).max(1_000).optional(),
    })
    .optional(),
});
export type ContentControl = z.output<typeof contentControl>;
export type ContentControlInput = z.input<typeof contentControl>;
export type ContentAdditions = NonNullable<ContentControl['add']>;
