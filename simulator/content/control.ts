import { z } from 'zod';
import { faultFields, hasOneEffect, oneEffect } from '../scripted-api/fault.ts';
import type { ApiTypes } from '../scripted-api/api.ts';
import { commonControls, commonDefaults, createScript, type CommonSettings } from '../scripted-api/script.ts';

const contentOperations = [
  ...(['read', 'list', 'insights', 'reply', 'hide', 'delete_comment', 'comment_setting'] as const),
  ...(['post', 'photo', 'video', 'reel_start', 'reel_upload', 'reel_finish', 'delete_post'] as const),
  /** A call of an object that does not exist. */
  'unknown',
] as const;

const contentFault = z
  .strictObject({
    ...faultFields,
    at: z.enum(contentOperations).optional(),
    match: z.strictObject({ account: z.string().optional() }).optional(),
  })
  .refine(hasOneEffect, oneEffect);
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
  /** Whether the finish of a reel answers with the id of its post. */
  videos: z.strictObject({ answersPostId: z.boolean() }).optional(),
  insights: z.array(insightOverride).max(1_000).optional(),
  faults: z.array(contentFault).max(1_000).optional(),
});
export type ContentControl = z.output<typeof contentControl>;

export interface ContentTypes extends ApiTypes {
  readonly subject: { readonly account: string | null };
  readonly fault: ContentFault;
}

interface ContentSettings extends CommonSettings<ContentFault> {
  readonly videos: { readonly answersPostId: boolean };
  readonly insights: readonly InsightOverride[];
}

export function createContentScript() {
  const initial: ContentSettings = { ...commonDefaults, videos: { answersPostId: true }, insights: [] };
  return createScript<ContentFault, ContentSettings>(initial, ['videos']);
}
export type ContentScript = ReturnType<typeof createContentScript>;
