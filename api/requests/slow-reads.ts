import { isStatementTimeout } from '../../db/core/database-unavailable.ts';
import type { Shares } from '../../process/shares.ts';
import { createTurns } from '../../process/turns.ts';
import { type OwnedRequest, shareOwner } from './api-shares.ts';
import { ReadTooSlow } from './errors.ts';

/**
 * Reads whose cost grows with the stored data: lists with filters, searches, counts and statistics. They have their own
 * connections. Few run at a time, one for each credential, and the others wait for their turn, so that a page of the
 * dashboard may load several.
 */
export interface SlowReads {
  /** Throws TooManyRequests, or ReadTooSlow if the database ended a statement. */
  run<Result>(request: SlowReadRequest, read: () => Promise<Result>): Promise<Result>;
}

export interface SlowReadRequest extends OwnedRequest {
  readonly gone: () => AbortSignal;
}

interface SlowReadsOptions {
  /** Of running and waiting reads. */
  readonly shares: Shares;
  /** Of the pool `readDb`. */
  readonly connections: number;
  /** Optional. Default: 15 s. */
  readonly waitMs?: number;
}

/** A read may use two connections at a time. */
const RUNNING_SHARE = 0.4;
const WAIT_MS = 15_000;
/** Of a statement of `readDb`. */
export const SLOW_READ_TIMEOUT_MS = 10_000;

export function createSlowReads({ shares, connections, waitMs = WAIT_MS }: SlowReadsOptions): SlowReads {
  const inAll = Math.max(1, Math.floor(connections * RUNNING_SHARE));
  const perTenant = () => Math.ceil(inAll / 2);
  // Staff belong to no organization, and count as one.
  const turns = createTurns<number | undefined>({ perMember: 1, perTenant, inAll });
  return {
    run: async (request, read) => {
      const { credentialId, ...owner } = shareOwner(request);
      return await shares.during({ credentialId, ...owner }, () =>
        turns.run(
          { tenant: owner.organizationId, member: credentialId },
          {
            endOfWait: () => AbortSignal.any([request.gone(), AbortSignal.timeout(waitMs)]),
            work: () => inTime(read),
          },
        ),
      );
    },
  };
}

async function inTime<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (isStatementTimeout(error)) throw new ReadTooSlow({ cause: error });
    throw error;
  }
}
