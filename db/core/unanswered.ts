/**
 * A server that answers ends a statement that takes too long. Without an answer for this much longer, it is taken for
 * gone: its host went silent, as in a fail-over, and TCP would repeat the statement for a quarter of an hour.
 */
const GRACE_MS = 2_000;

/** Returns the driver's option for a statement that the server ends after this time. */
export const unansweredAfter = (statementTimeoutMs: number) => ({ query_timeout: statementTimeoutMs + GRACE_MS });

/** The system asks on an idle connection after ten seconds, and ends it after ten more without an answer. */
export const asksWhenIdle = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Returns the driver's options for connections whose statements the server ends after this time. */
export const endsUnanswered = (statementTimeoutMs: number) => ({
  ...unansweredAfter(statementTimeoutMs),
  ...asksWhenIdle,
});

/** The connection still waits for the answer, so that it cannot be used any more. The query builder puts the SQL first. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message.endsWith('Query read timeout');
