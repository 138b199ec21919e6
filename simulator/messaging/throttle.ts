import { MessagingRefusal, reasons } from './refusals.ts';
import type { MessagingSettings } from './script.ts';

interface ThrottledSend {
  readonly account: string;
  readonly to: string;
  readonly isChatapp: boolean;
  readonly nowMs: number;
}

/** The limits that the control has set: refuses a message that comes too soon, and counts the others. */
export interface MessagingThrottle {
  check(send: ThrottledSend, limits: MessagingSettings['limits']): void;
  clear(): void;
}

const SECOND_MS = 1_000;
/** Pairs of a run; a limit that forgets is only a little kinder. */
const MAX_PAIRS = 50_000;

export function createMessagingThrottle(): MessagingThrottle {
  const recent = new Map<string, number[]>();
  const pairs = new Map<string, number>();

  return {
    check({ account, to, isChatapp, nowMs }, { perSecond, pairMs }) {
      const pair = `${account} ${to}`;
      const times = (recent.get(account) ?? []).filter((atMs) => nowMs - atMs < SECOND_MS);
      if (perSecond !== null && times.length >= perSecond) {
        throw new MessagingRefusal(isChatapp ? reasons.throughput : reasons.callLimit);
      }
      const lastMs = pairs.get(pair);
      if (isChatapp && pairMs !== null && lastMs !== undefined && nowMs - lastMs < pairMs) {
        throw new MessagingRefusal(reasons.pairLimit);
      }
      if (perSecond !== null) recent.set(account, [...times, nowMs]);
      if (pairMs === null) return;
      if (pairs.size >= MAX_PAIRS) pairs.clear();
      pairs.set(pair, nowMs);
    },
    clear() {
      recent.clear();
      pairs.clear();
    },
  };
}
