import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Claim, claimDeliveries, type ClaimRequest } from '../../db/ledger/claim.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';

/** Claims for the pumps of a process. Its cost follows the statements, not the number of shards. */
export interface SharedClaims {
  /** A shard may have one open claim. */
  claim(request: ClaimRequest): Promise<Claim>;
}

/** A second one continues while the first meets a slow shard. */
const MAX_STATEMENTS = 2;

interface Waiting {
  readonly request: ClaimRequest;
  readonly answer: PromiseWithResolvers<Claim>;
}

/** Requests that arrive during a statement share the next one. */
export function createSharedClaims(pool: HotPool): SharedClaims {
  let waiting: Waiting[] = [];
  let statementCount = 0;
  return {
    claim(request) {
      const answer = Promise.withResolvers<Claim>();
      waiting.push({ request, answer });
      if (statementCount < MAX_STATEMENTS) void run();
      return answer.promise;
    },
  };

  async function run(): Promise<void> {
    statementCount++;
    // Wake-ups of several shards often arrive together.
    await nextTurn();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await answerAll(batch);
    }
    statementCount--;
  }

  async function answerAll(batch: readonly Waiting[]): Promise<void> {
    try {
      const claims = await claimDeliveries(
        pool,
        batch.map(({ request }) => request),
      );
      for (const [index, { answer }] of batch.entries()) answer.resolve(claims[index]!);
    } catch (error) {
      for (const { answer } of batch) answer.reject(error);
    }
  }
}
