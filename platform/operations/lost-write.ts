import { PlatformOutcomeLost, PlatformRejected, PlatformUnavailable } from '../client/errors.ts';
import { classifyWriteRefusal } from '../client/write-refusals.ts';

/** The messaging API may have sent the message despite these internal errors. */
const LOST_CODES = new Set([131000, 131016, 131057]);

/** Returns PlatformOutcomeLost unless the error proves that nothing was done. */
export function lostOrThrown(error: unknown): unknown {
  if (error instanceof PlatformRejected) return isLost(error) ? lost(error.text ?? error.message, error) : error;
  if (!(error instanceof PlatformUnavailable) || error.notSent) return error;
  const said = error.cause instanceof PlatformRejected ? error.cause.text : null;
  return lost(said === null ? error.message : `${error.message}: ${said}`, error);
}

function isLost(error: PlatformRejected): boolean {
  return classifyWriteRefusal(error) === 'lost' || (error.code !== null && LOST_CODES.has(error.code));
}

function lost(message: string, cause: unknown): PlatformOutcomeLost {
  return new PlatformOutcomeLost(message, { cause });
}
