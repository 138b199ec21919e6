import type { MediaControl, MediaFault, MediaMatch, MediaOutcome, MediaStep } from './control.ts';
import type { MediaType } from './store.ts';

export interface ProcessingTimes {
  readonly imageMs: number;
  readonly videoMs: number;
  readonly carouselMs: number;
}

export interface MediaSettings {
  readonly processing: ProcessingTimes;
  readonly clockOffsetSeconds: number;
  readonly quota: { readonly used: number | null; readonly total: number };
  readonly containerLimit: number;
  readonly usage: {
    readonly callCount: number;
    readonly totalTime: number;
    readonly totalCpuTime: number;
    readonly regainAccessMinutes: number;
  };
  readonly deadTokens: readonly string[];
  readonly faults: readonly MediaFault[];
  readonly outcomes: readonly MediaOutcome[];
}

/** What a call is about, for a script to find it by. */
export interface MediaSubject {
  readonly account: string | null;
  readonly mediaType?: MediaType | undefined;
  readonly isCarouselItem?: boolean | undefined;
  readonly childIndex?: number | null | undefined;
  readonly urls?: readonly string[] | undefined;
}

/** The settings of the media side, and what is to go wrong next. */
export interface MediaScript {
  settings(): MediaSettings;
  /** The first fault that fits; one with a count is used up by asking. */
  takeFault(at: MediaStep, subject: MediaSubject): MediaFault | undefined;
  takeOutcome(subject: MediaSubject): MediaOutcome | undefined;
  control(change: MediaControl): void;
  reset(): void;
}

const defaults: MediaSettings = {
  processing: { imageMs: 2_000, videoMs: 20_000, carouselMs: 1_000 },
  clockOffsetSeconds: 0,
  quota: { used: null, total: 100 },
  containerLimit: 400,
  usage: { callCount: 0, totalTime: 0, totalCpuTime: 0, regainAccessMinutes: 0 },
  deadTokens: [],
  faults: [],
  outcomes: [],
};

export function createMediaScript(processing: Partial<ProcessingTimes> = {}): MediaScript {
  const initial: MediaSettings = { ...defaults, processing: { ...defaults.processing, ...processing } };
  let settings = initial;

  return {
    settings: () => settings,
    takeFault(at, subject) {
      const fault = settings.faults.find((each) => each.at === at && fits(each.match, subject));
      if (fault) settings = { ...settings, faults: usedUp(settings.faults, fault) };
      return fault;
    },
    takeOutcome(subject) {
      const outcome = settings.outcomes.find((each) => fits(each.match, subject));
      if (outcome) settings = { ...settings, outcomes: usedUp(settings.outcomes, outcome) };
      return outcome;
    },
    control(change) {
      settings = changed(settings, change);
    },
    reset() {
      settings = initial;
    },
  };
}

function changed(settings: MediaSettings, change: MediaControl): MediaSettings {
  const { quota } = settings;
  return {
    processing: merged(settings.processing, change.processing),
    clockOffsetSeconds: change.clockOffsetSeconds ?? settings.clockOffsetSeconds,
    quota: {
      used: change.quota?.used === undefined ? quota.used : change.quota.used,
      total: change.quota?.total ?? quota.total,
    },
    containerLimit: change.containerLimit ?? settings.containerLimit,
    usage: merged(settings.usage, change.usage),
    deadTokens: change.deadTokens ?? settings.deadTokens,
    faults: change.faults ?? settings.faults,
    outcomes: change.outcomes ?? settings.outcomes,
  };
}

/** Lays the given values over the old ones; an undefined one is not given. */
function merged<T extends object>(values: T, change: { readonly [K in keyof T]?: T[K] | undefined } = {}): T {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...values, ...given };
}

function fits(match: MediaMatch = {}, subject: MediaSubject): boolean {
  const { account, mediaType, isCarouselItem, childIndex, urlIncludes } = match;
  if (account !== undefined && account !== subject.account) return false;
  if (mediaType !== undefined && mediaType !== subject.mediaType) return false;
  if (isCarouselItem !== undefined && isCarouselItem !== subject.isCarouselItem) return false;
  if (childIndex !== undefined && childIndex !== subject.childIndex) return false;
  return urlIncludes === undefined || (subject.urls ?? []).some((url) => url.includes(urlIncludes));
}

function usedUp<T extends { readonly times?: number | undefined }>(list: readonly T[], taken: T): readonly T[] {
  const { times } = taken;
  if (times === undefined) return list;
  return list.flatMap((each) => {
    if (each !== taken) return [each];
    return times > 1 ? [{ ...each, times: times - 1 }] : [];
  });
}
