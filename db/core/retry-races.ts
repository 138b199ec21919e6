/**
 * `deadlock_detected` and `serialization_failure`. A statement that waits for a row gets the latter if the row has moved
 * to another partition in the meantime, as a delivery does when it ends.
 */
const RETRYABLE = new Set(['40P01', '40001']);
/** A statement was planned on a table that a migration or the retention dropped before it ran. */
const DROPPED = /^could not open relation with OID/;
const MAX_TRIES = 5;

/**
 * Repeats a transaction, or a statement that is one, after it lost a race and was rolled back.
 *
 * @param isLostRace Optional. Which errors to repeat after. Default: deadlocks, serialization failures and dropped
 *   tables.
 */
export async function retryRaces<Result>(
  act: () => Promise<Result>,
  isLostRace: (error: unknown) => boolean = isRetryable,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (tries === MAX_TRIES || !isLostRace(error)) throw error;
    }
  }
}

function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return false;
  return RETRYABLE.has(error.code) || DROPPED.test(error.message);
}
