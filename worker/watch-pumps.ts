import type { PumpFleet } from '../activities/pump/pump-fleet.ts';
import type { PumpTurn } from '../metrics/worker-metrics.ts';
import type { Log } from '../process/log.ts';

export interface WatchPumps {
  /** Undefined if the worker runs no pumps. */
  readonly fleet: () => Pick<PumpFleet, 'pumps' | 'turnedAgoMs'> | undefined;
  /** Whether the database answers a new connection. Must not throw. */
  readonly isDatabaseReachable: () => Promise<boolean>;
  readonly log: Log;
}

export interface PumpWatch {
  turns(): readonly PumpTurn[] | undefined;
  /**
   * False if a loop has not begun a round for a minute although the database answers: only a restart helps. A database
   * that does not answer is no reason, because a restart would not bring it back.
   */
  isAlive(): Promise<boolean>;
}

/** A round takes half a second without deliveries, and its statements end after ten seconds each. */
const MAX_ROUND_MS = 60_000;

export function watchPumps({ fleet, isDatabaseReachable, log }: WatchPumps): PumpWatch {
  return {
    turns: () => fleet() && turnsOf(fleet()!),
    async isAlive() {
      const running = fleet();
      if (!running) return true;
      const hung = turnsOf(running).filter(({ turnedAgoMs }) => turnedAgoMs > MAX_ROUND_MS);
      const isFleetHung = running.turnedAgoMs() > MAX_ROUND_MS;
      if ((hung.length === 0 && !isFleetHung) || !(await isDatabaseReachable())) return true;
      log.error('pump.roundFailed', { shards: hung.map(({ shard }) => shard), isFleetHung });
      return false;
    },
  };
}

function turnsOf({ pumps }: Pick<PumpFleet, 'pumps'>): readonly PumpTurn[] {
  return pumps().map(({ shard, turnedAgoMs }) => ({ shard, turnedAgoMs: turnedAgoMs() }));
}
