import { z } from 'zod';
import { checkFault, faultFields } from '../scripted-api/fault.ts';
import { commonControls } from '../scripted-api/script.ts';

const contentOperations = [
  ...(['read', 'list', 'insights', 'comment', 'reply', 'hide', 'delete_comment', 'comment_setting'] as const),
  ...(['post', 'photo', 'video', 'reel_start', 'reel_upload', 'reel_finish', 'delete_post'] as const),
];

const id = z.string().regex(/^[A-Za-z0-9_.=-]{1,200}$/, 'must be an id: letters, digits, and _ . = -');

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
  value: z.number().optional(),
  /** Omits the metric. */
  missing: z.literal('empty').optional(),
});
export type InsightOverride = z.output<typeof insightOverride>;

/** The body of `POST /control/content`. Omitted fields keep their value; lists are replaced. */
export const contentControl = z.strictObject({
  ...commonControls,
  /** The account or Page behind `/me`, by token. */
  tokens: z.record(z.string(), id).optional(),
  videos: z.strictObject({ answersPostId: z.boolean() }).optional(),
  insights: z.array(insightOverride).max(1_000).optional(),
  faults: z.array(contentFault).max(1_000).optional(),
});
export type ContentControlInput = z.input<typeof contentControl>;
