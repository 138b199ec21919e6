import { z } from 'zod';
import { channelTypes } from '../../contract/event-types.ts';

const oneOrMore = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

/**
 * What `POST /control/events` takes: which webhooks to make and how to send them. Several `resourceId`s or `from`s take
 * turns. An unknown `kind` becomes a change of a field of that name.
 */
export const controlEvent = z.strictObject({
  product: z.enum(channelTypes),
  kind: z.string().min(1),
  resourceId: oneOrMore,
  from: oneOrMore.default('15551230001'),
  name: z.string().optional(),
  text: z.string().default('Hello from the simulator'),
  /** With more than one, each text ends in ` #<n>`, so that the order can be told. */
  count: z.int().min(1).max(100_000).default(1),
  batch: z.boolean().default(false),
  merge: z.enum(['none', 'entries', 'values']).default('values'),
  duplicate: z.boolean().default(false),
  shuffle: z.boolean().default(false),
  /** Requests in flight at once; one keeps the order. */
  concurrency: z.int().min(1).max(64).default(1),
  realWords: z.boolean().default(false),
  /** The account of a chatapp number, which is the entry's id. */
  accountId: z.string().optional(),
  /** The message, comment or post that the item is or is about; fresh ones when left out. */
  platformMessageId: z.string().optional(),
  postId: z.string().optional(),
  parentId: z.string().optional(),
  status: z.enum(['sent', 'delivered', 'read', 'failed']).default('delivered'),
  shape: z.enum(['changes', 'entry']).default('changes'),
  verb: z.string().optional(),
  isEcho: z.boolean().default(false),
  isStandby: z.boolean().default(false),
  atMs: z.int().optional(),
  /** Fields put into the message, or the whole value of an unknown kind. */
  extra: z.record(z.string(), z.unknown()).optional(),
});

export type ControlEventInput = z.input<typeof controlEvent>;
export type ControlEvent = z.output<typeof controlEvent>;
