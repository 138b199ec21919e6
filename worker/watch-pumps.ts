import type { PumpFleet } from '../activities/pump/pump-fleet.ts';
import type { PumpTurn } from '../metrics/worker-metrics.ts';
import type { Log } from '../process/log.ts';

export interface WatchPumps {
  /** Undefined if the worker runs no pump. */
  readonly fleet: () => WatchedFleet | undefined;
  /** Whether the database answers a new connection. Must not throw. */
  readonly isDatabaseReachable: () => Promise<boolean>;
  readonly log: Log;
}

type WatchedFleet = Pick<PumpFleet, 'turnedAgoMs'> & {
  readonly pump: Pick<PumpFleet['pump'], 'shards' | 'turnedAgoMs'>;
};

export interface PumpWatch {
  turn(): PumpTurn | undefined;
  /**
   * False if a loop has not begun a round for a minute although the database answers: only a restart helps. A database
   * that does not answer is no reason, because a restart would not bring it back.
   */
  isAlive(): Promise<boolean>;
}

/** A round takes up to two seconds without deliveries, and its statements end after ten seconds each. */
const MAX_ROUND_MS = 60_000;

export function watchPumps({ fleet, isDatabaseReachable, log }: WatchPumps): PumpWatch {
  return {
    turn: () => fleet() && turnOf(fleet()!),
    async isAlive() {
      const running = fleet();
      if (!running) return true;
      const isPumpHung = turnOf(running).turnedAgoMs > MAX_ROUND_MS;
      const isFleetHung = running.turnedAgoMs() > MAX_ROUND_MS;
      if ((!isPumpHung && !isFleetHung) || !(await isDatabaseReachable())) return true;
      log.error('pump.roundFailed', { isPumpHung, isFleetHung });
      return false;
    },
  };
}

function turnOf({ pump }: WatchedFleet): PumpTurn {
  return { shardCount: pump.shards().length, turnedAgoMs: pump.turnedAgoMs() };
}
