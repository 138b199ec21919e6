import knex from 'knex';
import pg from 'pg';
import { isUnanswered } from './unanswered.ts';

/** Returns whether the database is temporarily unavailable. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return temporaryStates.test(error.code ?? '');
  if (error instanceof knex.KnexTimeoutError) return true;
  if (!(error instanceof Error)) return false;
  return isUnanswered(error) || driverMessages.has(withoutSql(error.message)) || isSocketError(error);
}

export const READ_ONLY = '25006';
/** Nothing but a time-out cancels the service's statements. */
const STATEMENT_TIMED_OUT = '57014';

/** Returns whether a statement failed because the server or the session takes no changes. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === READ_ONLY;
}

/** Returns whether a statement was cancelled because it took too long, as on an overloaded server. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === STATEMENT_TIMED_OUT;
}

/**
 * Connection exceptions (08), read-only (25006), resources (53), a statement that took too long (57014), shutdown and
 * start (57P01 to 57P03), I/O errors (58030), and a read that a replica cancelled to continue its recovery (40001).
 */
const temporaryStates = /^(?:08...|25006|40001|53...|57014|57P0[123]|58030)$/;

/** Deadlocks (40P01), locks that are not free (55P03), and connections that are refused or ended (28, 3D000, 57P). */
const notOfStatement = /^(?:40P01|55P03|28...|3D000|57P..)$/;

/** Returns whether a statement failed for a reason that repeating it does not remove, such as an invalid value. */
export function isPermanent(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return false;
  return !(error instanceof pg.DatabaseError && notOfStatement.test(error.code ?? ''));
}

/** The query builder puts the SQL before the driver's message. */
const withoutSql = (message: string): string => message.split(' - ').at(-1)!;

/** Driver errors without a code. */
const driverMessages: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
]);

const socketCodes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
]);
const socketCalls: ReadonlySet<string> = new Set(['connect', 'getaddrinfo', 'read', 'write']);

/** Excludes `ECONNRESET` without a system call, which a disconnected HTTP client causes. */
function isSocketError(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isDatabaseUnavailable);
  if (!('code' in error && 'syscall' in error)) return false;
  return socketCodes.has(String(error.code)) && socketCalls.has(String(error.syscall));
}
