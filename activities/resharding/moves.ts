import { createMoveIn, type MoveInDeps } from './move-in.ts';
import { createMoveOut, type MoveOutDeps } from './move-out.ts';

/** A pump's part in a change of the number of shards. */
export interface Moves {
  /** Whether destinations move in the installation. */
  set(isMoving: boolean): void;
  isMoving(): boolean;
  /** Never rejects. Must not run during a claim. Returns whether it should be called again at once. */
  step(): Promise<boolean>;
  /** Must be called when outcomes are in the ledger. */
  settled(ids: readonly number[]): void;
  idle(): Promise<void>;
}

const STRAYS_MS = 60_000;
const STRAYS_MOVING_MS = 5_000;

export function createMoves(deps: MoveOutDeps & MoveInDeps): Moves {
  const out = createMoveOut(deps);
  const arrivals = createMoveIn(deps);
  let isMoving = false;
  let soughtAtMs = performance.now() - Math.random() * STRAYS_MS; // not all shards at once

  return {
    set: (isOn) => void (isMoving = isOn),
    isMoving: () => isMoving,
    async step() {
      try {
        await findStrays();
        if (!isMoving) return false;
        const hasMovedOut = await out.step();
        return (await arrivals.step()) || hasMovedOut;
      } catch (error) {
        deps.log.warn('destinations.moveFailed', { error });
        return false;
      }
    },
    settled: out.settled,
    idle: out.idle,
  };

  async function findStrays(): Promise<void> {
    if (performance.now() - soughtAtMs < (isMoving ? STRAYS_MOVING_MS : STRAYS_MS)) return;
    soughtAtMs = performance.now();
    await arrivals.findStrays();
  }
}
