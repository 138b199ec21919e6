import { z } from 'zod';
import { channelTypes } from '../../contract/event-types.ts';
import { RequestRefused } from '../servers/http-server.ts';

/** What a call to the messaging side is for; `action` marks read, shows typing and reacts. */
const steps = [
  ...(['send', 'action', 'upload', 'media', 'download', 'deleteMedia', 'templates', 'number', 'profile'] as const),
];
export type MessagingStep = (typeof steps)[number];

const id = z.string().min(1).max(200);
const percent = z.number().min(0).max(1_000);
const delayMs = z.int().min(0).max(60_000);
/** Null: this webhook is not sent. */
const webhookDelayMs = z.int().min(0).max(3_600_000).nullable();

/** Every key that is given must fit; a call that has no such property fits none. */
const match = z.strictObject({
  /** The id in the address. */
  account: id.optional(),
  /** The person, or the comment or post that is answered. */
  to: id.optional(),
  /** Of the message: `text`, `template`, `image` …; of an action: `read`, `typing`, or its own word; of an upload its own. */
  type: z.string().optional(),
});
export type MessagingMatch = z.output<typeof match>;

const failsLater = z.strictObject({ code: z.int(), message: z.string().optional(), details: z.string().optional() });

const messagingFault = z
  .strictObject({
    at: z.enum(steps),
    match: match.optional(),
    /** Left out: until the list is replaced. */
    times: z.int().min(1).optional(),
    /** A refusal in the platform's error body; the status is the code's usual one when left out. */
    code: z.int().optional(),
    status: z.int().min(400).max(599).optional(),
    subcode: z.int().optional(),
    message: z.string().optional(),
    details: z.string().optional(),
    isTransient: z.boolean().optional(),
    /** An answer of this status with the platform's unknown error. */
    httpStatus: z.int().min(500).max(599).optional(),
    /** The connection is dropped before anything is done, or after it is done. */
    lost: z.enum(['before', 'after']).optional(),
    /** Comes before everything else; alone, the call is then answered as ever. */
    delayMs: delayMs.optional(),
    /** Done, and answered 200 without an id. */
    wrongBody: z.literal(true).optional(),
    /** A chatapp message is accepted, and its only status webhook is `failed` with this error. */
    failsLater: failsLater.optional(),
    /** The call takes effect in spite of the refusal or the 5xx, or before the delay. */
    afterEffect: z.boolean().optional(),
  })
  .refine(
    ({ code, httpStatus, lost, wrongBody, failsLater: later, delayMs: delay }) => {
      const effects = [code, httpStatus, lost, wrongBody, later].filter((effect) => effect !== undefined).length;
      return effects === 1 || (effects === 0 && delay !== undefined);
    },
    { error: 'name one of code, httpStatus, lost, wrongBody and failsLater, or only delayMs' },
  )
  .refine(
    ({ code, status, subcode, message, details, isTransient }) =>
      code !== undefined || (status ?? subcode ?? message ?? details ?? isTransient) === undefined,
    { error: 'status, subcode, message, details and isTransient need a code' },
  )
  .refine(({ at, failsLater: later }) => later === undefined || at === 'send', { error: 'only a send fails later' })
  .refine(({ lost, afterEffect }) => lost === undefined || afterEffect === undefined, {
    error: 'lost says itself whether the effect takes place',
  });
export type MessagingFault = z.output<typeof messagingFault>;

const template = z.strictObject({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/),
  language: z.string().min(2).default('en_US'),
  category: z.enum(['AUTHENTICATION', 'MARKETING', 'UTILITY']).default('UTILITY'),
  status: z.enum(['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED']).default('APPROVED'),
  components: z.array(z.record(z.string(), z.unknown())).min(1),
});
export type Template = z.output<typeof template>;

/** What `POST /control/messaging` takes. Left-out fields stay; lists and `accounts` are replaced. */
const messagingControl = z.strictObject({
  clockOffsetSeconds: z.number().min(-1e9).max(1e9).optional(),
  /** Refuses what is sent outside the 24 hours after the person's last message. */
  windows: z.boolean().optional(),
  /** Which words name the products: both are taken, and chatapp answers in the one that it was asked in. */
  words: z.enum(['neutral', 'real', 'both']).optional(),
  /** After the answer, and in this order. Each counts from the answer. */
  webhooks: z
    .strictObject({
      sentMs: webhookDelayMs.optional(),
      deliveredMs: webhookDelayMs.optional(),
      readMs: webhookDelayMs.optional(),
      echoMs: webhookDelayMs.optional(),
    })
    .optional(),
  /** Null: no such limit. */
  limits: z
    .strictObject({
      /** Messages of one number in a second (130429), or of another account (613). */
      perSecond: z.int().min(0).nullish(),
      /** Between two messages of one number to the same person (131056). */
      pairMs: z.int().min(0).nullish(),
    })
    .optional(),
  /** What the usage headers say, in percent and minutes; a throttled answer says at least 100. */
  usage: z
    .strictObject({
      callCount: percent.optional(),
      totalTime: percent.optional(),
      totalCpuTime: percent.optional(),
      regainAccessMinutes: z.int().min(0).optional(),
    })
    .optional(),
  deadTokens: z.array(z.string().min(1)).max(1_000).optional(),
  /** Of which product an account is, where its first digit says something else. */
  accounts: z.record(id, z.enum(channelTypes)).optional(),
  templates: z.array(template).max(1_000).optional(),
  faults: z.array(messagingFault).max(1_000).optional(),
  /** Messages that people have sent, besides those whose webhooks went out; now, when no time is given. */
  inbound: z
    .array(z.strictObject({ account: id, from: id, atMs: z.int().optional() }))
    .max(10_000)
    .optional(),
  /** Comments and visitors' posts that a private reply may name, so that their author and age are known. */
  comments: z
    .array(z.strictObject({ id, from: id.optional(), atMs: z.int().optional() }))
    .max(10_000)
    .optional(),
});
export type MessagingControl = z.output<typeof messagingControl>;
export type MessagingControlInput = z.input<typeof messagingControl>;

export function parseMessagingControl(input: unknown): MessagingControl {
  const change = messagingControl.safeParse(input);
  if (change.success) return change.data;
  const problems = change.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new RequestRefused(400, problems.join('; '));
}
