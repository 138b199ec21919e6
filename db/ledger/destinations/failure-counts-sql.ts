import {
  FAILURES_TO_OPEN,
  MAX_FAILURES_TO_OPEN,
  OPEN_MIN_ATTEMPTS,
  OPEN_SHARE,
  RECENT_MS,
  UNLIKELY,
} from '../../../contract/destinations/circuit.ts';

/** SQL over a locked destination `l`. See `contract/destinations/circuit.ts`. */

/** Bounds the exponent, which would underflow after some days. */
const MAX_AGES = 50;
const decayed = (column: string): string => `
    (l.${column} * exp(-least(extract(epoch from now() - coalesce(l.recent_at, now()))::float8 * ${1_000 / RECENT_MS}, ${MAX_AGES})))`;

export const recentAcceptedSql = decayed('recent_accepted');
export const recentFailedSql = decayed('recent_failed');

/** How many failures in a row open the circuit. */
export const failuresToOpenSql = `
    case when ${recentAcceptedSql} + ${recentFailedSql} < 1 then ${FAILURES_TO_OPEN} else
      least(${MAX_FAILURES_TO_OPEN}, greatest(${FAILURES_TO_OPEN}, ceil(${Math.log(UNLIKELY)}
        / ln((${recentFailedSql} + 1) / (${recentAcceptedSql} + ${recentFailedSql} + 2))))) end`;

export const mostlyFailsSql = (failed: string, accepted: string): string =>
  `(${failed} + ${accepted} >= ${OPEN_MIN_ATTEMPTS} and ${failed} >= ${OPEN_SHARE} * (${failed} + ${accepted}))`;
