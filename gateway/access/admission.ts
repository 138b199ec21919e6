import { addressBlock, addressNetwork, SHARES_PER_NETWORK } from '../../contract/addresses/classify-address.ts';
import type { TokenChannel } from '../../db/channels/tokens.ts';
import type { GatewayLimits } from '../calls/deps.ts';
import { TooManyRequests } from '../../process/http-errors.ts';
import { createShares, type Shares } from '../../process/shares.ts';

/** Counts in memory, per process. */
export interface Admission {
  /** Returns the function that frees the slot. */
  enter(channel: TokenChannel): () => void;
  countFailure(clientAddress: string): void;
  /** Calls that have not ended. */
  readonly underWay: Shares;
}

/** The calls of one organization are those of two busy channels. */
const CHANNELS_PER_ORGANIZATION = 2;
/** Each call holds sockets, and up to 4 MiB of an answer. */
const CHANNELS_IN_ALL = 16;
const WINDOW_MS = 60_000;
/** At this size, all counts restart. */
const MAX_WINDOWS = 100_000;

type AdmissionLimits = Pick<GatewayLimits, 'callsPerMinute' | 'callsUnderWay' | 'failuresPerMinute'>;

export function createAdmission(limits: AdmissionLimits, now: () => number = () => performance.now()): Admission {
  const calls = createWindows(limits.callsPerMinute, now);
  const failures = createWindows(limits.failuresPerMinute, now);
  const networkFailures = createWindows(limits.failuresPerMinute * SHARES_PER_NETWORK, now);

  const underWay = createShares({
    perCredential: limits.callsUnderWay,
    perOrganization: limits.callsUnderWay * CHANNELS_PER_ORGANIZATION,
    inAll: limits.callsUnderWay * CHANNELS_IN_ALL,
    retrySeconds: 1,
  });

  return {
    underWay,
    enter({ channelPublicId, organizationId, tokenId }) {
      const waitSeconds = calls.count(String(tokenId));
      if (waitSeconds > 0) throw tooMany(waitSeconds, `A token can make ${limits.callsPerMinute} calls per minute.`);
      return underWay.take({ credentialId: channelPublicId, organizationId });
    },
    countFailure(clientAddress) {
      const network = addressNetwork(clientAddress);
      // The /48 comes first: its 65,536 blocks could fill the map and restart all counts.
      const waitSeconds =
        (network === undefined ? 0 : networkFailures.exhausted(network)) || failures.count(addressBlock(clientAddress));
      if (waitSeconds > 0) throw tooMany(waitSeconds, 'Too many invalid credentials from this address.');
      if (network !== undefined) networkFailures.count(network);
    },
  };
}

function tooMany(retryAfterSeconds: number, message: string): TooManyRequests {
  return new TooManyRequests(retryAfterSeconds, { message });
}

function createWindows(quota: number, now: () => number) {
  const windows = new Map<string, { count: number; readonly endsAtMs: number }>();
  const secondsUntil = (atMs: number) => Math.max(1, Math.ceil((atMs - now()) / 1000));
  return {
    exhausted(key: string): number {
      const window = windows.get(key);
      return window && window.endsAtMs > now() && window.count >= quota ? secondsUntil(window.endsAtMs) : 0;
    },
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
