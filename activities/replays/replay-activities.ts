import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/activity';
import type { Knex } from 'knex';
import { failureTypes } from '../../contract/failures.ts';
import type { ReplayMove, ReplayState } from '../../contract/replays/replay.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { createShardWakes } from '../../db/core/shard-wakes.ts';
import { planNextBatch } from '../../db/replays/plan.ts';
import { FIRST_QUEUE, MAX_PENDING, sendReplayBatch } from '../../db/ledger/replays/send-replay-batch.ts';
import { verifySubscriptions } from '../../db/replays/verify-subscriptions.ts';
import {
  closeReplayRun,
  completeReplay,
  findReplay,
  moveReplay,
  type ReplayRecord,
  touchReplay,
} from '../../db/replays/replays.ts';
import type { Log } from '../../process/log.ts';
import { createTurns } from '../../process/turns.ts';
import type { Shares } from '../../process/shares.ts';
import { type WorkTime, workWithinShare } from '../upkeep/work-within-share.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type ReplayActivities = ReturnType<typeof createReplayActivities>;

export interface ReplayActivityDeps {
  readonly db: Knex;
  readonly pool: HotPool;
  readonly stopping: AbortSignal;
  /** Of the slots of the upkeep queue. */
  readonly upkeepShares: Shares;
  readonly log: Log;
}

/** Bounds the bursts of a replay. */
const BATCH_MS = 100;
/** Shorter delay after a large batch, because its destinations accept more soon. */
const BUSY_BATCH_MS = 20;
/** If nothing was sent for this long, the workflow waits instead. */
const HELD_MS = 3_000;

/** Batches take up to a second of a connection that the pumps need, too. */
const MAX_PLANS = 2;

export function createReplayActivities({ db, pool, stopping, upkeepShares, log }: ReplayActivityDeps) {
  const wakes = createShardWakes({ pool, log });
  const plans = createTurns<number>({ inAll: MAX_PLANS, perTenant: () => 1 });
  return {
    async planReplay({ replayId }: ReplayRequest): Promise<ReplayState> {
      return await runForAWhile(replayId, async ({ mayContinue }, { organizationId }) => {
        const { signal } = new AbortController(); // turns are short
        const turn = { endOfWait: () => signal, work: () => planNextBatch(pool, replayId) };
        while (mayContinue() && (await plans.run({ tenant: organizationId }, turn)));
        return await recordProgress(replayId);
      });
    },

    async sendReplay({ replayId }: ReplayRequest): Promise<ReplayState> {
      return await runForAWhile(replayId, async (time) => {
        await verifyDestinations(replayId);
        return await sendBatches(replayId, time);
      });
    },

    async moveReplay({ replayId, move }: ReplayRequest & { readonly move: ReplayMove }): Promise<ReplayState> {
      const isMoved = await moveReplay(db, { publicId: replayId, move });
      if (isMoved) log.info('replay.moved', { replayId, move });
      return await recordProgress(replayId);
    },

    /** Marks the run of an ended replay as closed, so that it is not adopted. */
    async readReplay({ replayId }: ReplayRequest): Promise<ReplayState> {
      await closeReplayRun(db, replayId);
      return await recordProgress(replayId);
    },
  };

  async function verifyDestinations(replayId: string): Promise<void> {
    const replay = await findReplay(db, replayId);
    if (replay) await verifySubscriptions(db, replay);
  }

  async function sendBatches(replayId: string, { mayContinue, hasShare }: WorkTime): Promise<ReplayState> {
    let after = FIRST_QUEUE;
    let sentAtMs = performance.now();
    while (mayContinue()) {
      const batch = await sendReplayBatch(pool, { replayId, after });
      wakes.wake(batch.pendingShards);
      if (!batch.isRunning) return await recordProgress(replayId);
      if (batch.queueCount === 0 && after === FIRST_QUEUE && (await completeReplay(db, replayId)))
        return await recordProgress(replayId);
      if (batch.sentCount > 0 || batch.allowedCount === 0) sentAtMs = performance.now();
      if (performance.now() - sentAtMs > HELD_MS) return await recordProgress(replayId, { isHeld: true });
      after = batch.last ?? FIRST_QUEUE;
      await sleep(batch.sentCount < MAX_PENDING / 2 ? BATCH_MS : BUSY_BATCH_MS);
    }
    return await recordProgress(replayId, { isHeld: !hasShare });
  }

  async function runForAWhile<Result>(
    replayId: string,
    work: (time: WorkTime, replay: ReplayRecord) => Promise<Result>,
  ): Promise<Result> {
    return await withHeartbeat(async (cancelled) => {
      const replay = await requireReplay(replayId);
      const ended = AbortSignal.any([stopping, cancelled]);
      const share = { shares: upkeepShares, owner: { organizationId: replay.organizationId }, ended };
      return await workWithinShare(share, (time) => work(time, replay));
    });
  }

  async function requireReplay(replayId: string) {
    const replay = await findReplay(db, replayId);
    if (!replay) throw ApplicationFailure.nonRetryable(`Replay ${replayId} not found`, failureTypes.replayNotFound);
    return replay;
  }

  async function recordProgress(replayId: string, { isHeld = false } = {}): Promise<ReplayState> {
    const replay = await requireReplay(replayId);
    await touchReplay(db, replayId);
    const { status, planned, sent } = replay;
    log.info('replay.progressed', { replayId, status, planned, sent, isHeld });
    return { status, planned, sent, isHeld };
  }
}

export interface ReplayRequest {
  readonly replayId: string;
}
