import { z } from 'zod';
import { postTypes } from './objects/store.ts';
import { RequestRefused } from '../servers/http-server.ts';

/** What a call is for, as far as it can be counted and made to fail. */
const contentSteps = [
  'read',
  'list',
  'insights',
  'comment',
  'reply',
  'hide',
  'delete_comment',
  'comment_setting',
  'post',
  'photo',
  'video',
  'reel_start',
  'reel_upload',
  'reel_finish',
  'delete_post',
] as const;
export type ContentStep = (typeof contentSteps)[number];

const id = z.string().regex(/^[A-Za-z0-9_.=-]{1,200}$/);
const percent = z.number().min(0).max(1_000);
const atMs = z.int().min(0).max(1e14);
const text = z.string().max(10_000);

const contentFault = z
  .strictObject({
    /** Left out: every call. */
    at: z.enum(contentSteps).optional(),
    match: z
      .strictObject({
        product: z.enum(['photoapp', 'pageapp']).optional(),
        account: id.optional(),
        /** The object of the address. */
        id: id.optional(),
        /** The last part of the address: `comments`, `conversations`, `feed` … */
        edge: z.string().optional(),
        /** One of the metrics of an insights call. */
        metric: z.string().optional(),
      })
      .optional(),
    /** Left out: until the list is replaced. */
    times: z.int().min(1).optional(),
    /** Refusals by name: 190/463; 200 or 10; 32 or 80002, with the usage headers at their end. */
    refusal: z.enum(['deadToken', 'missingPermission', 'throttled']).optional(),
    /** Any other refusal, or another code for the named one. */
    code: z.int().optional(),
    status: z.int().min(400).max(599).optional(),
    subcode: z.int().optional(),
    message: z.string().optional(),
    /** Of a throttled call, for its headers. */
    regainAccessMinutes: z.int().min(0).optional(),
    /** An answer of this status with the platform's unknown error. */
    httpStatus: z.int().min(500).max(599).optional(),
    /** The connection is dropped before anything is done, or after it is done. */
    lost: z.enum(['before', 'after']).optional(),
    /** Comes before everything else; alone, the call is then answered as ever. */
    delayMs: z.int().min(0).max(60_000).optional(),
    /** Done, and answered 200: without what was asked for, or with something that is no JSON. */
    wrongBody: z.enum(['empty', 'html']).optional(),
    /** The call takes effect in spite of the refusal, the 5xx or before the delay. */
    afterEffect: z.boolean().optional(),
  })
  .refine(
    ({ refusal, code, httpStatus, lost, wrongBody, delayMs }) => {
      const effects = [refusal ?? code, httpStatus, lost, wrongBody].filter((effect) => effect !== undefined).length;
      return effects === 1 || (effects === 0 && delayMs !== undefined);
    },
    { error: 'name one of refusal or code, httpStatus, lost and wrongBody, or only delayMs' },
  );
export type ContentFault = z.output<typeof contentFault>;

const insightOverride = z.strictObject({
  metric: z.string().min(1),
  /** Left out: every account and post. */
  objectId: id.optional(),
  value: z.number().optional(),
  /** Left out of the answer, refused with code 10, or refused with code 100. */
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
  /** Sends the webhook as well, as if a customer had just written it. */
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

/** What `POST /control/content` takes. Left-out fields stay; lists are replaced; `add` makes objects. */
const contentControl = z.strictObject({
  clockOffsetSeconds: z.number().min(-1e9).max(1e9).optional(),
  /** What the usage headers say, in percent and minutes. */
  usage: z
    .strictObject({
      callCount: percent.optional(),
      totalTime: percent.optional(),
      totalCpuTime: percent.optional(),
      regainAccessMinutes: z.int().min(0).optional(),
    })
    .optional(),
  deadTokens: z.array(z.string().min(1)).max(1_000).optional(),
  /** Which account or Page `/me` is, by token; the demo Page for the rest. */
  tokens: z.record(z.string(), id).optional(),
  /** Whether own actions come back as webhooks. */
  echoes: z.boolean().optional(),
  /** How photoapp comments stand in their webhooks: it depends on the kind of login. */
  commentShape: z.enum(['changes', 'entry']).optional(),
  /** Of Page videos: how long they are processed, and why that fails. */
  videos: z
    .strictObject({
      processingMs: z.int().min(0).max(604_800_000).optional(),
      problem: z.string().nullish(),
      /** Whether a finished reel is answered with its post's id. */
      answersPostId: z.boolean().optional(),
      /** Published reels of a Page in 24 hours. */
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

export function parseContentControl(input: unknown): ContentControl {
  const change = contentControl.safeParse(input);
  if (change.success) return change.data;
  const problems = change.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new RequestRefused(400, problems.join('; '));
}
