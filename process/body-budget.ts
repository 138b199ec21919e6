import { addressBlock } from '../contract/addresses/classify-address.ts';

export interface BodyBudget {
  /** With the IP address of an unauthenticated sender, the body counts towards that client's share. */
  open(ip?: string): BodyReservation;
  readonly bytesInFlight: () => number;
}

export interface BodyReservation {
  /** Returns false if the bytes exceed a limit and must be discarded. */
  grow(bytes: number): boolean;
  /** Lifts the limit once the sender is authenticated. */
  trust(): void;
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
/** Bodies leave a full budget within milliseconds. */
export const BUSY_RETRY_SECONDS = 1;
/** Of the streams between sender and reader. */
export const STREAMED_BODY_BYTES = 256 * 1024;

export function createBodyBudget(maxBytes: number = DEFAULT_BYTES): BodyBudget {
  const shareBytes = Math.floor(maxBytes * ADDRESS_SHARE);
  const shares = new Map<string, Share>();
  let inFlight = 0;

  // Cached, because the platform sends thousands of requests a second from one address.
  let latest = { ip: '', block: '' };

  function blockOf(ip: string): string {
    if (ip !== latest.ip) latest = { ip, block: addressBlock(ip) };
    return latest.block;
  }

  function enter(block: string): Share {
    const share = shares.get(block) ?? { block, bytes: 0, bodyCount: 0 };
    if (share.bodyCount === 0) shares.set(block, share);
    share.bodyCount++;
    return share;
  }

  function leave(share: Share, bytes: number): void {
    share.bytes -= bytes;
    share.bodyCount--;
    if (share.bodyCount === 0) shares.delete(share.block);
  }

  function open(ip?: string): BodyReservation {
    let held = 0;
    let share = ip === undefined ? undefined : enter(blockOf(ip));
    const leaveShare = (): void => {
      if (share !== undefined) leave(share, held);
      share = undefined;
    };
    return {
      grow(bytes) {
        if (inFlight + bytes > maxBytes) return false;
        if (share !== undefined) {
          if (share.bytes + bytes > shareBytes) return false;
          share.bytes += bytes;
        }
        inFlight += bytes;
        held += bytes;
        return true;
      },
      trust: leaveShare,
      release() {
        leaveShare();
        inFlight -= held;
        held = 0;
      },
    };
  }

  return { open, bytesInFlight: () => inFlight };
}
