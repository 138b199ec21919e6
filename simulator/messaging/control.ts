import { z } from 'zod';
import { channelTypes } from '../../contract/event-types.ts';
import { checkFault, faultFields } from '../scripted-api/fault.ts';
import { commonControls } from '../scripted-api/script.ts';

/** `action`: read marks, typing and reactions. */
const operations = [
  ...([
    'send',
    'action',
    'upload',
    'media',
    'download',
    'deleteMedia',
    'templates',
    'number',
    'profile',
    'settings',
  ] as const),
];

const id = z.string().min(1).max(200);
/** Null disables the webhook. */
const webhookDelayMs = z.int().min(0).max(3_600_000).nullable();

const messagingFault = z
  .strictObject({
    ...faultFields,
    at: z.enum(operations),
    match: z
      .strictObject({
        account: id.optional(),
        to: id.optional(),
        type: z.string().optional(),
      })
      .optional(),
    details: z.string().optional(),
    isTransient: z.boolean().optional(),
    /** Answers 200 without an id. */
    wrongBody: z.literal(true).optional(),
    /** Accepts the message, then reports it as failed. */
    failsLater: z
      .strictObject({ code: z.int(), message: z.string().optional(), details: z.string().optional() })
      .optional(),
  })
  .superRefine(checkFault({ effects: ['failsLater'], details: ['details', 'isTransient'] }))
  .refine(({ at, failsLater }) => failsLater === undefined || at === 'send', { error: 'failsLater needs at: send.' });
export type MessagingFault = z.output<typeof messagingFault>;

export const templateSchema = z.strictObject({
  /** Default: depends on the position. */
  id: z
    .string()
    .regex(/^\d{1,40}$/)
    .optional(),
  name: z.string().regex(/^[a-z0-9_]{1,512}$/, 'must be lower-case letters, digits and underscores'),
  language: z.string().min(2).default('en_US'),
  category: z.enum(['AUTHENTICATION', 'MARKETING', 'UTILITY']).default('UTILITY'),
  status: z.enum(['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED']).default('APPROVED'),
  components: z.array(z.record(z.string(), z.unknown())).min(1),
});
export type Template = z.output<typeof templateSchema>;

/** The body of `POST /control/messaging`. Omitted fields keep their value; lists and `accounts` are replaced. */
export const messagingControl = z.strictObject({
  ...commonControls,
  /** Refuses messages later than 24 hours after the person's last one. */
  windows: z.boolean().optional(),
  /** Accepted product names. Chatapp repeats the name of the call. */
  words: z.enum(['neutral', 'real', 'both']).optional(),
  /** Delays after the response. Webhooks keep this order. */
  webhooks: z
    .strictObject({
      sentMs: webhookDelayMs.optional(),
      deliveredMs: webhookDelayMs.optional(),
      readMs: webhookDelayMs.optional(),
      echoMs: webhookDelayMs.optional(),
    })
    .optional(),
  /** Null disables a limit. */
  limits: z
    .strictObject({
      /** Per account. Error 130429 for chatapp, otherwise 613. */
      perSecond: z.int().min(0).nullish(),
      /** Between messages of a number to one person. Error 131056. */
      pairMs: z.int().min(0).nullish(),
    })
    .optional(),
  /** Overrides the product that the first digit implies. */
  accounts: z.record(id, z.enum(channelTypes)).optional(),
  templates: z.array(templateSchema).max(1_000).optional(),
  faults: z.array(messagingFault).max(1_000).optional(),
  inbound: z
    .array(z.strictObject({ account: id, from: id, atMs: z.int().optional() }))
    .max(10_000)
    .optional(),
  comments: z
    .array(z.strictObject({ id, from: id.optional(), atMs: z.int().optional() }))
    .max(10_000)
    .optional(),
});
export type MessagingControl = z.output<typeof messagingControl>;
export type MessagingControlInput = z.input<typeof messagingControl>;
