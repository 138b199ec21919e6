import {
  FAILURES_TO_OPEN,
  MAX_FAILURES_TO_OPEN,
  OPEN_MIN_ATTEMPTS,
  OPEN_SHARE,
  RECENT_MS,
  UNLIKELY,
} from '../../../contract/destinations/circuit.ts';

/** SQL over a locked destination `l`. See `contract/destinations/circuit.ts`. */

/** Bounds the exponent of one step. The clock of a new primary can be behind that of the last one. */
const MAX_AGES = 50;
const agesSql = `least(greatest(extract(epoch from now() - coalesce(l.recent_at, now()))::float8 * ${1_000 / RECENT_MS}, 0), ${MAX_AGES})`;

/**
 * Counts are whole millionths of an attempt, so that they end at zero. Otherwise each settlement would multiply them again
 * until their type has no smaller number, and PostgreSQL would refuse every settlement of the destination.
 */
const COUNTED_PARTS = 1_000_000;
const decayed = (column: string): string => `
    (floor(l.${column} * exp(-${agesSql}) * ${COUNTED_PARTS}) / ${COUNTED_PARTS})`;

export const recentAcceptedSql = decayed('recent_accepted');
export const recentFailedSql = decayed('recent_failed');

/** How many failures in a row open the circuit. */
export const failuresToOpenSql = `
    case when ${recentAcceptedSql} + ${recentFailedSql} < 1 then ${FAILURES_TO_OPEN} else
      least(${MAX_FAILURES_TO_OPEN}, greatest(${FAILURES_TO_OPEN}, ceil(${Math.log(UNLIKELY)}
        / ln((${recentFailedSql} + 1) / (${recentAcceptedSql} + ${recentFailedSql} + 2))))) end`;

export const mostlyFailsSql = (failed: string, accepted: string): string =>
  `(${failed} + ${accepted} >= ${OPEN_MIN_ATTEMPTS} and ${failed} >= ${OPEN_SHARE} * (${failed} + ${accepted}))`;
