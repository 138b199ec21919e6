import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Knex } from 'knex';
import { failureTypes } from '../../contract/failures.ts';
import type { ReplayMove, ReplayStanding } from '../../contract/replays/replay.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { planNextBatch } from '../../db/replays/plan.ts';
import { FIRST_LANE, MAX_PENDING, sendReplayBatch } from '../../db/ledger/replays/send-replay-batch.ts';
import { verifySubscriptions } from '../../db/replays/verify-subscriptions.ts';
import { closeReplayRun, completeReplay, findReplay, moveReplay, touchReplay } from '../../db/replays/replays.ts';
import type { Log } from '../../process/log.ts';

export type ReplayActivities = ReturnType<typeof createReplayActivities>;

export interface ReplayActivityDeps {
  readonly db: Knex;
  readonly pool: HotPool;
  /** Aborts when this worker shuts down. */
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** So long an activity works on before it reports to its workflow; a pause does not wait for it. */
const WORK_MS = 60_000;
/** Between two batches: a burst of a replay is at most what its rate allows in this time. */
const BATCH_MS = 100;
/** The same where a batch was large: what a destination has room for is gone again soon. */
const BUSY_BATCH_MS = 20;
/** Without anything sent for so long, the workflow waits instead. */
const HELD_MS = 3_000;
/** Well inside the heartbeat timeout. */
const HEARTBEAT_MS = 1_000;

/** The row of the replay says what is to be done, and each batch asks it: nothing here is kept from one to the next. */
export function createReplayActivities({ db, pool, stopping, log }: ReplayActivityDeps) {
  return {
    /** Writes the plan, as far as it comes in a minute. A repeat goes on where the last one got to. */
    async planReplay({ replayId }: ReplayRequest): Promise<ReplayStanding> {
      return await working(async (goesOn) => {
        while (goesOn() && (await planNextBatch(pool, replayId)));
        return await standing(replayId);
      });
    },

    /** Sends items for a minute. It ends early when the replay is paused or has ended, or when nothing may go. */
    async sendReplay({ replayId }: ReplayRequest): Promise<ReplayStanding> {
      return await working(async (goesOn) => {
        await verifyDestinations(replayId);
        return await sendOn(replayId, goesOn);
      });
    },

    /** Pauses, resumes or cancels, as somebody told the workflow to; what has ended stays as it is. */
    async moveReplay({ replayId, move }: ReplayRequest & { readonly move: ReplayMove }): Promise<ReplayStanding> {
      const isMoved = await moveReplay(db, { publicId: replayId, move });
      if (isMoved) log.info('replay.moved', { replayId, move });
      return await standing(replayId);
    },

    /** Says how the replay stands; the workflow of one that has ended is not looked for any more. */
    async readReplay({ replayId }: ReplayRequest): Promise<ReplayStanding> {
      await closeReplayRun(db, replayId);
      return await standing(replayId);
    },
  };

  /** A webhook that was saved since the last minute lets its subscriptions be sent to faster. */
  async function verifyDestinations(replayId: string): Promise<void> {
    const replay = await findReplay(db, replayId);
    if (replay) await verifySubscriptions(db, replay);
  }

  async function sendOn(replayId: string, goesOn: () => boolean): Promise<ReplayStanding> {
    let after = FIRST_LANE;
    let sentAtMs = performance.now();
    while (goesOn()) {
      const batch = await sendReplayBatch(pool, { replayId, after });
      if (!batch.isRunning) break;
      if (batch.laneCount === 0 && after === FIRST_LANE && (await completeReplay(db, replayId))) break;
      if (batch.sentCount > 0 || batch.allowedCount === 0) sentAtMs = performance.now();
      if (performance.now() - sentAtMs > HELD_MS) return await standing(replayId, { isHeld: true });
      after = batch.last ?? FIRST_LANE;
      await sleep(batch.sentCount < MAX_PENDING / 2 ? BATCH_MS : BUSY_BATCH_MS);
    }
    return await standing(replayId);
  }

  /** Tells Temporal that this worker is there, and the work when to report: after a minute, or when it should end. */
  async function working<Result>(work: (goesOn: () => boolean) => Promise<Result>): Promise<Result> {
    const context = Context.current();
    const heartbeat = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
    const untilMs = performance.now() + WORK_MS;
    const { cancellationSignal } = context;
    try {
      return await work(() => !stopping.aborted && !cancellationSignal.aborted && performance.now() < untilMs);
    } finally {
      clearInterval(heartbeat);
    }
  }

  async function standing(replayId: string, { isHeld = false } = {}): Promise<ReplayStanding> {
    const replay = await findReplay(db, replayId);
    if (!replay) throw ApplicationFailure.nonRetryable(`No replay ${replayId}`, failureTypes.replayNotFound);
    await touchReplay(db, replayId);
    const { status, planned, sent } = replay;
    log.info('replay.progressed', { replayId, status, planned, sent, isHeld });
    return { status, planned, sent, isHeld };
  }
}

export interface ReplayRequest {
  readonly replayId: string;
}
