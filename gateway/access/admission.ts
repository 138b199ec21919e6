import type { TokenChannel } from '../../db/channels/tokens.ts';
import type { GatewayLimits } from '../calls/deps.ts';
import { TooManyRequests } from '../../process/http-errors.ts';
import { createShares, type Shares } from '../../process/shares.ts';
import { createAddressWindows, createWindows } from '../../process/windows.ts';

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

type AdmissionLimits = Pick<GatewayLimits, 'callsPerMinute' | 'callsUnderWay' | 'failuresPerMinute'>;

export function createAdmission(limits: AdmissionLimits, now?: () => number): Admission {
  const calls = createWindows(limits.callsPerMinute, now);
  const countFailure = createAddressWindows(limits.failuresPerMinute, now);

  const underWay = createShares({
    perCredential: limits.callsUnderWay,
    perOrganization: limits.callsUnderWay * CHANNELS_PER_ORGANIZATION,
    inAll: limits.callsUnderWay * CHANNELS_IN_ALL,
    retrySeconds: 1,
  });

  return {
    underWay,
    enter({ channelPublicId, organizationId, tokenId }) {
      const { isOver, resetSeconds } = calls.count(String(tokenId));
      if (isOver) throw tooMany(resetSeconds, `A token can make ${limits.callsPerMinute} calls per minute.`);
      return underWay.take({ credentialId: channelPublicId, organizationId });
    },
    countFailure(clientAddress) {
      const { isRefused, counted } = countFailure(clientAddress);
      if (isRefused) throw tooMany(counted.resetSeconds, 'Too many invalid credentials from this address.');
    },
  };
}

function tooMany(retryAfterSeconds: number, message: string): TooManyRequests {
  return new TooManyRequests(retryAfterSeconds, { message });
}
