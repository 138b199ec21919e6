import { addressBlock, addressNetwork, SHARES_PER_NETWORK } from '../../contract/addresses/classify-address.ts';
import type { TokenChannel } from '../../db/channels/tokens.ts';
import type { GatewayLimits } from '../calls/deps.ts';
import { tooMany } from '../calls/refusal.ts';

/**
 * How much one token, one channel and one address may ask of this process. Counts are in memory: with several processes
 * each has its own, which keeps floods out without a write per call.
 */
export interface Admission {
  /** Counts a call and takes a place for it; the place is given back by the returned function. */
  enter(channel: TokenChannel): () => void;
  /** Counts a credential that was refused. */
  countFailure(clientAddress: string): void;
}

const WINDOW_MS = 60_000;
/** So many tokens are told apart at once; in a flood of more, counts begin anew. */
const MAX_WINDOWS = 100_000;

type AdmissionLimits = Pick<GatewayLimits, 'callsPerMinute' | 'callsUnderWay' | 'failuresPerMinute'>;

export function createAdmission(limits: AdmissionLimits, now: () => number = () => performance.now()): Admission {
  const calls = createWindows(limits.callsPerMinute, now);
  const failures = createWindows(limits.failuresPerMinute, now);
  const networkFailures = createWindows(limits.failuresPerMinute * SHARES_PER_NETWORK, now);
  const underWay = new Map<number, number>();

  return {
    enter({ channelId, tokenId }) {
      const waitSeconds = calls.count(String(tokenId));
      if (waitSeconds > 0) throw tooMany(`This token may make ${limits.callsPerMinute} calls a minute.`, waitSeconds);
      const count = underWay.get(channelId) ?? 0;
      if (count >= limits.callsUnderWay) {
        throw tooMany(`This channel may have ${limits.callsUnderWay} calls under way at once.`, 1);
      }
      underWay.set(channelId, count + 1);
      let isLeft = false;
      return () => {
        if (isLeft) return;
        isLeft = true;
        const left = (underWay.get(channelId) ?? 1) - 1;
        if (left === 0) underWay.delete(channelId);
        else underWay.set(channelId, left);
      };
    },
    countFailure(clientAddress) {
      const network = addressNetwork(clientAddress);
      // An exhausted /48 first: with its 65,536 blocks it could have the counts of everyone begin anew.
      const waitSeconds =
        (network === undefined ? 0 : networkFailures.exhausted(network)) || failures.count(addressBlock(clientAddress));
      if (waitSeconds > 0) throw tooMany('Too many invalid credentials from this address.', waitSeconds);
      if (network !== undefined) networkFailures.count(network);
    },
  };
}

function createWindows(quota: number, now: () => number) {
  const windows = new Map<string, { count: number; readonly endsAtMs: number }>();
  const secondsUntil = (atMs: number) => Math.max(1, Math.ceil((atMs - now()) / 1000));
  return {
    /** Zero where another call is within the quota, else the seconds until it would be. */
    exhausted(key: string): number {
      const window = windows.get(key);
      return window && window.endsAtMs > now() && window.count >= quota ? secondsUntil(window.endsAtMs) : 0;
    },
    /** Zero where the call is within the quota, else the seconds until it would be. */
    count(key: string): number {
      const nowMs = now();
      let window = windows.get(key);
      if (!window || window.endsAtMs <= nowMs) {
        if (windows.size >= MAX_WINDOWS) windows.clear();
        window = { count: 0, endsAtMs: nowMs + WINDOW_MS };
        windows.set(key, window);
      }
      window.count++;
      return window.count > quota ? secondsUntil(window.endsAtMs) : 0;
    },
  };
}
