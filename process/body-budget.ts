import { addressBlock } from '../contract/addresses/classify-address.ts';
import { BUSY_RETRY_SECONDS, type HttpError, OverCapacity, TooManyRequests } from './http-errors.ts';
import { createShares, type ShareOwner, type Shares } from './shares.ts';

export interface BodyBudget {
  /** With the IP address of an unauthenticated sender, the body counts towards that client's share. */
  open(ip?: string): BodyReservation;
  readonly bytesInFlight: () => number;
  /** The part of authenticated senders. */
  readonly shares: Shares;
}

export interface BodyReservation {
  /** Returns false if the bytes exceed a limit and must be discarded. */
  grow(bytes: number): boolean;
  /** The answer after `grow` returned false. */
  refusal(): HttpError;
  /** Lifts the limit once the platform's signature is verified. */
  trust(): void;
  /** Counts further bytes to the shares of an authenticated sender. */
  charge(owner: ShareOwner): void;
  release(): void;
}

interface Share {
  readonly block: string;
  bytes: number;
  bodyCount: number;
}

const DEFAULT_BYTES = 64 * 1024 * 1024;
/** Share of one unauthenticated client. */
const ADDRESS_SHARE = 1 / 4;
/** Authenticated senders leave the rest to the platform's events. */
const TENANTS_SHARE = 3 / 4;
/** A body of 1 MiB fits into the reserve of a budget of 64 MiB. */
const FEW_BYTES_SHARE = 1 / 32;
const SHARE_FULL = 'You are sending too many request bodies at the same time.';
/** Of the streams between sender and reader. */
export const STREAMED_BODY_BYTES = 256 * 1024;

export function createBodyBudget(maxBytes: number = DEFAULT_BYTES): BodyBudget {
  const shareBytes = Math.floor(maxBytes * ADDRESS_SHARE);
  const ofAddresses = new Map<string, Share>();
  const shares = createShares({
    perCredential: shareBytes,
    perOrganization: shareBytes,
    retrySeconds: BUSY_RETRY_SECONDS,
    inAll: Math.floor(maxBytes * TENANTS_SHARE),
    few: Math.floor(maxBytes * FEW_BYTES_SHARE),
  });
  let inFlight = 0;

  function enter(block: string): Share {
    const share = ofAddresses.get(block) ?? { block, bytes: 0, bodyCount: 0 };
    if (share.bodyCount === 0) ofAddresses.set(block, share);
    share.bodyCount++;
    return share;
  }

  function leave(share: Share, bytes: number): void {
    share.bytes -= bytes;
    share.bodyCount--;
    if (share.bodyCount === 0) ofAddresses.delete(share.block);
  }

  function open(ip?: string): BodyReservation {
    let held = 0;
    let share = ip === undefined ? undefined : enter(addressBlock(ip));
    let owner: ShareOwner | undefined;
    let isShareFull = false;
    const giveBacks: (() => void)[] = [];
    const leaveShare = (): void => {
      if (share !== undefined) leave(share, held);
      share = undefined;
    };
    const take = (by: ShareOwner, bytes: number): boolean => {
      const giveBack = shares.tryTake(by, bytes);
      isShareFull = giveBack === undefined;
      if (giveBack) giveBacks.push(giveBack);
      return !isShareFull;
    };
    return {
      grow(bytes) {
        if (inFlight + bytes > maxBytes) return false;
        if (share !== undefined) {
          if (share.bytes + bytes > shareBytes) return false;
          share.bytes += bytes;
        }
        if (owner !== undefined && !take(owner, bytes)) return false;
        inFlight += bytes;
        held += bytes;
        return true;
      },
      refusal: () =>
        isShareFull ? new TooManyRequests(BUSY_RETRY_SECONDS, { message: SHARE_FULL }) : new OverCapacity(),
      trust: leaveShare,
      charge: (to) => void (owner = to),
      release() {
        leaveShare();
        for (const giveBack of giveBacks.splice(0)) giveBack();
        inFlight -= held;
        held = 0;
      },
    };
  }

  return { open, bytesInFlight: () => inFlight, shares };
}
