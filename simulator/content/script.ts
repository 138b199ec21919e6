import type { ContentControl, ContentFault, ContentStep, InsightOverride } from './control.ts';
import type { ContentProduct } from './objects/store.ts';

export interface ContentSettings {
  readonly clockOffsetSeconds: number;
  readonly usage: {
    readonly callCount: number;
    readonly totalTime: number;
    readonly totalCpuTime: number;
    readonly regainAccessMinutes: number;
  };
  readonly deadTokens: readonly string[];
  readonly tokens: Readonly<Record<string, string>>;
  readonly echoes: boolean;
  readonly commentShape: 'changes' | 'entry';
  readonly videos: {
    readonly processingMs: number;
    readonly problem: string | null;
    readonly answersPostId: boolean;
    readonly reelLimit: number;
  };
  readonly insights: readonly InsightOverride[];
  readonly faults: readonly ContentFault[];
}

/** What a call is about, for a fault to find it by. */
interface ContentSubject {
  readonly at: ContentStep;
  readonly product: ContentProduct;
  readonly account: string;
  readonly id: string;
  readonly edge: string;
  readonly metric: string;
}

/** The settings of the content side, and what is to go wrong next. */
export interface ContentScript {
  settings(): ContentSettings;
  /** The first fault that fits; one with a count is used up by asking. */
  takeFault(subject: ContentSubject): ContentFault | undefined;
  control(change: ContentControl): void;
  reset(): void;
}

const initial: ContentSettings = {
  clockOffsetSeconds: 0,
  usage: { callCount: 0, totalTime: 0, totalCpuTime: 0, regainAccessMinutes: 0 },
  deadTokens: [],
  tokens: {},
  echoes: true,
  commentShape: 'changes',
  videos: { processingMs: 5_000, problem: null, answersPostId: true, reelLimit: 30 },
  insights: [],
  faults: [],
};

export function createContentScript(): ContentScript {
  let settings = initial;

  return {
    settings: () => settings,
    takeFault(subject) {
      const fault = settings.faults.find((each) => fits(each, subject));
      if (fault) settings = { ...settings, faults: usedUp(settings.faults, fault) };
      return fault;
    },
    control({ add: _, usage, videos, ...change }) {
      settings = {
        ...laidOver(settings, change),
        usage: laidOver(settings.usage, usage),
        videos: laidOver(settings.videos, videos),
      };
    },
    reset() {
      settings = initial;
    },
  };
}

/** Lays the given values over the old ones; an undefined one is not given. */
function laidOver<T extends object>(values: T, change: { readonly [K in keyof T]?: T[K] | undefined } = {}): T {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...values, ...given };
}

function fits({ at, match = {} }: ContentFault, subject: ContentSubject): boolean {
  if (at !== undefined && at !== subject.at) return false;
  if (match.metric !== undefined && !subject.metric.split(',').includes(match.metric)) return false;
  return (['product', 'account', 'id', 'edge'] as const).every((key) => (match[key] ?? subject[key]) === subject[key]);
}

function usedUp(faults: readonly ContentFault[], taken: ContentFault): readonly ContentFault[] {
  const { times } = taken;
  if (times === undefined) return faults;
  return faults.flatMap((each) => {
    if (each !== taken) return [each];
    return times > 1 ? [{ ...each, times: times - 1 }] : [];
  });
}
