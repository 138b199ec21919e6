import { Refusal, refusals } from '../scripted-api/refusals.ts';
import { messagingRefusals } from './refusals.ts';
import type { MessagingSettings } from './script.ts';

interface ThrottledSend {
  readonly account: string;
  readonly to: string;
  readonly isChatapp: boolean;
  readonly nowMs: number;
}

export interface MessagingThrottle {
  check(send: ThrottledSend, limits: MessagingSettings['limits']): void;
  clear(): void;
}

const SECOND_MS = 1_000;
const MAX_PAIRS = 50_000;

export function createMessagingThrottle(): MessagingThrottle {
  const recent = new Map<string, number[]>();
  const pairs = new Map<string, number>();

  return {
    check({ account, to, isChatapp, nowMs }, { perSecond, pairMs }) {
      const pair = `${account} ${to}`;
      const times = (recent.get(account) ?? []).filter((atMs) => nowMs - atMs < SECOND_MS);
      if (perSecond !== null && times.length >= perSecond) {
        throw new Refusal(isChatapp ? messagingRefusals.throughput : refusals.callLimit);
      }
      const lastMs = pairs.get(pair);
      if (isChatapp && pairMs !== null && lastMs !== undefined && nowMs - lastMs < pairMs) {
        throw new Refusal(messagingRefusals.pairLimit);
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
