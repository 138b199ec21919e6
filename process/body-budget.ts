import { addressBlock } from '../contract/addresses/classify-address.ts';

/** Bounds the bytes of request bodies that a process holds at once, whoever sends them. */
export interface BodyBudget {
  /** Counts one body. With the IP address of a sender who has shown no credential yet, it counts within that client's share too. */
  open(ip?: string): BodyReservation;
  readonly bytesInFlight: () => number;
}

/** What one body takes of the budget. */
export interface BodyReservation {
  /** Counts bytes that came; false where they are beyond the budget or the share, and must not be kept. */
  grow(bytes: number): boolean;
  /** Counts the body outside of the share of its address: its sender has shown who it is. */
  trust(): void;
  /** Gives everything back; further calls do nothing. */
  release(): void;
}

/** What the bodies of one client without a credential hold at once. */
interface Share {
  readonly block: string;
  bytes: number;
  bodyCount: number;
}

const DEFAULT_BYTES = 64 * 1024 * 1024;
/** The part of the budget that one address may take before it has shown a credential. */
const ADDRESS_SHARE = 1 / 4;
/** What a client is asked to wait where the budget is used up; bodies leave it within milliseconds. */
export const BUSY_RETRY_SECONDS = 1;
/** What a body holds that is passed on as it comes: the buffers of the streams between its sender and its reader. */
export const STREAMED_BODY_BYTES = 256 * 1024;

export function createBodyBudget(maxBytes: number = DEFAULT_BYTES): BodyBudget {
  const shareBytes = Math.floor(maxBytes * ADDRESS_SHARE);
  const shares = new Map<string, Share>();
  let inFlight = 0;

  // The platform sends thousands of requests a second from one address; parsing it costs more than all other reading.
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
