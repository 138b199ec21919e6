import { z } from 'zod';
import { checkFault, faultFields } from '../scripted-api/fault.ts';
import { commonControls } from '../scripted-api/script.ts';
import { mediaTypes } from './store.ts';

export const mediaReads = ['shown', 'missing', 'no_code'] as const;

const WEEK_MS = 7 * 86_400_000;
const durationMs = z.int().min(0).max(WEEK_MS);

const match = z.strictObject({
  account: z.string().optional(),
  mediaType: z.enum(mediaTypes).optional(),
  isCarouselItem: z.boolean().optional(),
  /** From 0. Counts carousel items since the account's last other container, or since faults or outcomes were set. */
  childIndex: z.int().min(0).optional(),
  urlIncludes: z.string().min(1).optional(),
});

const mediaFault = z
  .strictObject({
    ...faultFields,
    at: z.enum(['create', 'publish', 'status', 'list', 'quota', 'permalink']),
    match: match.optional(),
    /** Answers 200 without an id. */
    wrongBody: z.literal(true).optional(),
  })
  .superRefine(checkFault());
export type MediaFault = z.output<typeof mediaFault>;

const mediaOutcome = z.strictObject({
  match: match.optional(),
  times: faultFields.times,
  subcode: z.int(),
  processingMs: durationMs.optional(),
});
export type MediaOutcome = z.output<typeof mediaOutcome>;

/** The body of `POST /control/media`. Omitted fields keep their value; lists are replaced. */
export const mediaControl = z.strictObject({
  ...commonControls,
  processing: z
    .strictObject({
      imageMs: durationMs.optional(),
      videoMs: durationMs.optional(),
      carouselMs: durationMs.optional(),
    })
    .optional(),
  quota: z
    .strictObject({
      /** Posts already used; later ones are added. Null counts real posts only. */
      used: z.int().min(0).nullish(),
      total: z.int().min(0).optional(),
    })
    .optional(),
  /**
   * How reads of single containers and posts answer. As in days of trouble at the platform: `missing` calls existing ones
   * unknown, and `no_code` omits the status code of a container. Writes and lists are not affected.
   */
  reads: z.enum(mediaReads).optional(),
  /** Per account in 24 hours. */
  containerLimit: z.int().min(0).max(8_000).optional(),
  faults: z.array(mediaFault).max(1_000).optional(),
  outcomes: z.array(mediaOutcome).max(1_000).optional(),
});
export type MediaControl = z.output<typeof mediaControl>;
export type MediaControlInput = z.input<typeof mediaControl>;
