import type { ChannelType } from '../../contract/event-types.ts';
import { demoTemplates } from './chatapp-demo-templates.ts';
import type { MessagingControl, MessagingFault, MessagingMatch, MessagingStep, Template } from './control.ts';

export interface MessagingSettings {
  readonly clockOffsetSeconds: number;
  readonly windows: boolean;
  readonly words: 'neutral' | 'real' | 'both';
  readonly webhooks: WebhookDelays;
  readonly limits: { readonly perSecond: number | null; readonly pairMs: number | null };
  readonly usage: {
    readonly callCount: number;
    readonly totalTime: number;
    readonly totalCpuTime: number;
    readonly regainAccessMinutes: number;
  };
  readonly deadTokens: readonly string[];
  readonly accounts: Readonly<Record<string, ChannelType>>;
  readonly templates: readonly Template[];
  readonly faults: readonly MessagingFault[];
}

/** From the answer on; null sends none. */
export interface WebhookDelays {
  readonly sentMs: number | null;
  readonly deliveredMs: number | null;
  readonly readMs: number | null;
  readonly echoMs: number | null;
}

/** What a call is about, for a script to find it by. */
export interface MessagingSubject {
  readonly account: string;
  readonly to?: string | undefined;
  readonly type?: string | undefined;
}

/** The settings of the messaging side, and what is to go wrong next. */
export interface MessagingScript {
  settings(): MessagingSettings;
  /** The first fault that fits; one with a count is used up by asking. */
  takeFault(at: MessagingStep, subject: MessagingSubject): MessagingFault | undefined;
  control(change: MessagingControl): void;
  reset(): void;
}

const defaults: MessagingSettings = {
  clockOffsetSeconds: 0,
  windows: false,
  words: 'both',
  webhooks: { sentMs: 100, deliveredMs: 400, readMs: 1_500, echoMs: 100 },
  limits: { perSecond: null, pairMs: null },
  usage: { callCount: 0, totalTime: 0, totalCpuTime: 0, regainAccessMinutes: 0 },
  deadTokens: [],
  accounts: {},
  templates: demoTemplates,
  faults: [],
};

export function createMessagingScript(webhooks: Partial<WebhookDelays> = {}): MessagingScript {
  const initial: MessagingSettings = { ...defaults, webhooks: { ...defaults.webhooks, ...webhooks } };
  let settings = initial;

  return {
    settings: () => settings,
    takeFault(at, subject) {
      const fault = settings.faults.find((each) => each.at === at && fits(each.match, subject));
      if (fault) settings = { ...settings, faults: usedUp(settings.faults, fault) };
      return fault;
    },
    control(change) {
      settings = {
        clockOffsetSeconds: change.clockOffsetSeconds ?? settings.clockOffsetSeconds,
        windows: change.windows ?? settings.windows,
        words: change.words ?? settings.words,
        webhooks: merged(settings.webhooks, change.webhooks),
        limits: merged(settings.limits, change.limits),
        usage: merged(settings.usage, change.usage),
        deadTokens: change.deadTokens ?? settings.deadTokens,
        accounts: change.accounts ?? settings.accounts,
        templates: change.templates ?? settings.templates,
        faults: change.faults ?? settings.faults,
      };
    },
    reset() {
      settings = initial;
    },
  };
}

/** Lays the given values over the old ones; an undefined one is not given. */
function merged<T extends object>(values: T, change: { readonly [K in keyof T]?: T[K] | undefined } = {}): T {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...values, ...given };
}

function fits({ account, to, type }: MessagingMatch = {}, subject: MessagingSubject): boolean {
  if (account !== undefined && account !== subject.account) return false;
  if (to !== undefined && to !== subject.to) return false;
  return type === undefined || type === subject.type;
}

function usedUp(list: readonly MessagingFault[], taken: MessagingFault): readonly MessagingFault[] {
  const { times } = taken;
  if (times === undefined) return list;
  return list.flatMap((each) => {
    if (each !== taken) return [each];
    return times > 1 ? [{ ...each, times: times - 1 }] : [];
  });
}
