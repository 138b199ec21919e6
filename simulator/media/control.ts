import { z } from 'zod';
import { RequestRefused } from '../servers/http-server.ts';
import { mediaTypes } from './store.ts';

/** What a call to the media side is for, as far as it can be made to fail. */
const steps = ['create', 'publish', 'status', 'list', 'quota', 'permalink'] as const;
export type MediaStep = (typeof steps)[number];

const WEEK_MS = 7 * 86_400_000;
const percent = z.number().min(0).max(1_000);
const durationMs = z.int().min(0).max(WEEK_MS);

/** Every key that is given must fit; a call that has no such property fits none. */
const match = z.strictObject({
  account: z.string().optional(),
  mediaType: z.enum(mediaTypes).optional(),
  isCarouselItem: z.boolean().optional(),
  /**
   * The n-th carousel item, from 0, that the account has asked for since it last asked for another kind of container, or
   * since faults or outcomes were last given.
   */
  childIndex: z.int().min(0).optional(),
  /** Part of one of its addresses: tells children apart that are created at the same time. */
  urlIncludes: z.string().min(1).optional(),
});
export type MediaMatch = z.output<typeof match>;

const scripted = {
  match: match.optional(),
  /** Left out: until the list is replaced. */
  times: z.int().min(1).optional(),
};

const mediaFault = z
  .strictObject({
    ...scripted,
    at: z.enum(steps),
    /** A refusal in the platform's error body. */
    status: z.int().min(400).max(599).optional(),
    code: z.int().optional(),
    subcode: z.int().optional(),
    message: z.string().optional(),
    /** An answer of this status with the platform's unknown error. */
    httpStatus: z.int().min(500).max(599).optional(),
    /** The connection is dropped before anything is done, or after it is done. */
    lost: z.enum(['before', 'after']).optional(),
    /** Comes before everything else; alone, the call is then answered as ever. */
    delayMs: z.int().min(0).max(60_000).optional(),
    /** Done, and answered 200 without an id. */
    wrongBody: z.literal(true).optional(),
    /** The call takes effect in spite of the refusal, the 5xx or before the delay. */
    afterEffect: z.boolean().optional(),
  })
  .refine(
    ({ code, httpStatus, lost, wrongBody, delayMs }) => {
      const effects = [code, httpStatus, lost, wrongBody].filter((effect) => effect !== undefined).length;
      return effects === 1 || (effects === 0 && delayMs !== undefined);
    },
    { error: 'name one of code, httpStatus, lost and wrongBody, or only delayMs' },
  )
  .refine(({ code, status, subcode, message }) => code !== undefined || (status ?? subcode ?? message) === undefined, {
    error: 'status, subcode and message need a code',
  })
  .refine(({ lost, afterEffect }) => lost === undefined || afterEffect === undefined, {
    error: 'lost says itself whether the effect takes place',
  });
export type MediaFault = z.output<typeof mediaFault>;

const mediaOutcome = z.strictObject({
  ...scripted,
  /** With which the container's processing ends. */
  subcode: z.int(),
  /** Instead of the time of its kind. */
  processingMs: durationMs.optional(),
});
export type MediaOutcome = z.output<typeof mediaOutcome>;

/** What `POST /control/media` takes. Left-out fields stay; lists are replaced. */
const mediaControl = z.strictObject({
  /** For containers that are made from now on. */
  processing: z
    .strictObject({
      imageMs: durationMs.optional(),
      videoMs: durationMs.optional(),
      carouselMs: durationMs.optional(),
    })
    .optional(),
  clockOffsetSeconds: z.number().min(-1e9).max(1e9).optional(),
  quota: z
    .strictObject({
      /** What every account has used just now; publishing adds to it. Null counts posts only. */
      used: z.int().min(0).nullish(),
      total: z.int().min(0).optional(),
    })
    .optional(),
  /** Containers of one account in 24 hours. */
  containerLimit: z.int().min(0).max(8_000).optional(),
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
  faults: z.array(mediaFault).max(1_000).optional(),
  outcomes: z.array(mediaOutcome).max(1_000).optional(),
});
export type MediaControl = z.output<typeof mediaControl>;
export type MediaControlInput = z.input<typeof mediaControl>;

export function parseMediaControl(input: unknown): MediaControl {
  const change = mediaControl.safeParse(input);
  if (change.success) return change.data;
  const problems = change.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new RequestRefused(400, problems.join('; '));
}
