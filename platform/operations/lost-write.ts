import { PlatformOutcomeLost, PlatformRejected, PlatformUnavailable } from '../client/errors.ts';
import { refusalOf } from '../client/refusals.ts';

/** Returns PlatformOutcomeLost unless the error proves that nothing was done. */
export function lostOrThrown(error: unknown): unknown {
  if (error instanceof PlatformRejected) {
    return refusalOf('write', error).mayBeDone ? lost(error.text ?? error.message, error) : error;
  }
  if (!(error instanceof PlatformUnavailable) || error.notSent) return error;
  const said = error.cause instanceof PlatformRejected ? error.cause.text : null;
  return lost(said === null ? error.message : `${error.message}: ${said}`, error);
}

function lost(message: string, cause: unknown): PlatformOutcomeLost {
  return new PlatformOutcomeLost(message, { cause });
}
