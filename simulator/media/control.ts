import { z } from 'zod';
import type { ApiCall, ApiTypes } from '../scripted-api/api.ts';
import { faultFields, hasOneEffect, oneEffect } from '../scripted-api/fault.ts';
import {
  commonControls,
  commonDefaults,
  createScript,
  matches,
  takeFirst,
  type CommonSettings,
  type Script,
  type Subject,
} from '../scripted-api/script.ts';
import { mediaTypes, type MediaType } from './store.ts';

const mediaReads = ['shown', 'missing', 'no_code'] as const;

const WEEK_MS = 7 * 86_400_000;
const durationMs = z.int().min(0).max(WEEK_MS);

const match = z.strictObject({
  account: z.string().optional(),
  mediaType: z.enum(mediaTypes).optional(),
  isCarouselItem: z.boolean().optional(),
  urlIncludes: z.string().min(1).optional(),
});

const mediaFault = z
  .strictObject({
    ...faultFields,
    at: z.enum(['create', 'publish', 'status', 'list', 'quota', 'permalink']),
    match: match.optional(),
  })
  .refine(hasOneEffect, oneEffect);
export type MediaFault = z.output<typeof mediaFault>;

/** Processing fails with the subcode. */
const mediaOutcome = z.strictObject({ match: match.optional(), times: faultFields.times, subcode: z.int() });
type MediaOutcome = z.output<typeof mediaOutcome>;

/** The body of `POST /control/media`. Omitted fields keep their value; lists are replaced. */
export const mediaControl = z.strictObject({
  ...commonControls,
  clockOffsetSeconds: z.number().min(-1e9).max(1e9).optional(),
  processing: z
    .strictObject({
      imageMs: durationMs.optional(),
      videoMs: durationMs.optional(),
      carouselMs: durationMs.optional(),
    })
    .optional(),
  /**
   * How reads of single containers and posts answer. As in days of trouble at the platform: `missing` calls existing ones
   * unknown, and `no_code` omits the status code of a container. Writes and lists are not affected.
   */
  reads: z.enum(mediaReads).optional(),
  /** Posts of the last day that each account has published elsewhere. They count for its quota. */
  otherPosts: z.int().min(0).optional(),
  faults: z.array(mediaFault).max(1_000).optional(),
  outcomes: z.array(mediaOutcome).max(1_000).optional(),
});
export type MediaControl = z.output<typeof mediaControl>;
export type MediaControlInput = z.input<typeof mediaControl>;

export interface MediaTypes extends ApiTypes {
  readonly subject: MediaSubject;
  readonly fault: MediaFault;
}
export type MediaCall = ApiCall<MediaTypes>;

export interface MediaSubject extends Subject {
  readonly account: string | null;
  readonly mediaType?: MediaType | undefined;
  readonly isCarouselItem?: boolean | undefined;
  readonly urlIncludes?: (part: unknown) => boolean;
}

export interface ProcessingTimes {
  readonly imageMs: number;
  readonly videoMs: number;
  readonly carouselMs: number;
}

interface MediaSettings extends CommonSettings<MediaFault> {
  readonly clockOffsetSeconds: number;
  readonly processing: ProcessingTimes;
  readonly reads: (typeof mediaReads)[number];
  readonly otherPosts: number;
  readonly outcomes: readonly MediaOutcome[];
}

export interface MediaScript extends Script<MediaFault, MediaSettings> {
  takeOutcome(subject: MediaSubject): MediaOutcome | undefined;
}

export function createMediaScript(processing: Partial<ProcessingTimes> = {}): MediaScript {
  const initial: MediaSettings = {
    ...commonDefaults,
    clockOffsetSeconds: 0,
    processing: { imageMs: 2_000, videoMs: 20_000, carouselMs: 1_000, ...processing },
    reads: 'shown',
    otherPosts: 0,
    outcomes: [],
  };
  const script = createScript<MediaFault, MediaSettings>(initial, ['processing']);

  return {
    ...script,
    takeOutcome(subject) {
      const { taken, left } = takeFirst(script.settings().outcomes, (outcome) => matches(outcome.match, subject));
      script.control({ outcomes: left });
      return taken;
    },
  };
}
