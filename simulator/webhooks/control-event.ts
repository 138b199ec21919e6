import { z } from 'zod';
import { channelTypes } from '../../contract/event-types.ts';

const oneOrMore = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

/**
 * The webhooks to create, and how to send them. Several resources, senders or verbs take turns. An unknown `kind` becomes a
 * change of that field.
 */
export const controlEvent = z.strictObject({
  product: z.enum(channelTypes),
  kind: z.string().min(1),
  resourceId: oneOrMore,
  from: oneOrMore.default('15551230001'),
  name: z.string().optional(),
  text: z.string().default('Hello from the simulator'),
  /** Beyond one, texts end in ` #<n>`. */
  count: z.int().min(1).max(100_000).default(1),
  batch: z.boolean().default(false),
  merge: z.enum(['none', 'entries', 'values']).default('values'),
  duplicate: z.boolean().default(false),
  shuffle: z.boolean().default(false),
  /** One keeps the order. */
  concurrency: z.int().min(1).max(64).default(1),
  realWords: z.boolean().default(false),
  /** The entry's id for chatapp. Default: the business account of the number. */
  accountId: z.string().optional(),
  platformMessageId: z.string().optional(),
  postId: z.string().optional(),
  parentId: z.string().optional(),
  status: z.enum(['sent', 'delivered', 'read', 'failed']).default('delivered'),
  shape: z.enum(['changes', 'entry']).default('changes'),
  /** Of a change or a reaction. */
  verb: oneOrMore.optional(),
  isEcho: z.boolean().default(false),
  isStandby: z.boolean().default(false),
  atMs: z.int().optional(),
  /** Between two webhooks. With 0, all have the same time. */
  stepMs: z.int().min(0).default(1),
  extra: z.record(z.string(), z.unknown()).optional(),
});

export type ControlEventInput = z.input<typeof controlEvent>;
export type ControlEvent = z.output<typeof controlEvent>;
