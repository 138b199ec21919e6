import knex from 'knex';
import pg from 'pg';

/**
 * Whether a statement failed because the database is not there or takes no writes at present: it will again, and the
 * statement is right. What is wrong with a statement, or with how the database is set up, never counts.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return passingStates.test(error.code ?? '');
  if (error instanceof knex.KnexTimeoutError) return true;
  if (!(error instanceof Error)) return false;
  return driverMessages.has(error.message) || isSocketError(error);
}

/**
 * Connection exceptions (08), read-only transactions (25006: a standby, or a server that was told so), want of disk,
 * memory or connections (53), a server that stops or starts (57P01 to 57P03), and disks that fail (58030).
 */
const passingStates = /^(?:08...|25006|53...|57P0[123]|58030)$/;

/** The driver has no codes for these. */
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

/**
 * Of a connection of our own: all others that a process opens have their failures translated where they are used, and a
 * caller who goes away is `ECONNRESET` without a system call.
 */
function isSocketError(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isDatabaseAway);
  if (!('code' in error && 'syscall' in error)) return false;
  return socketCodes.has(String(error.code)) && socketCalls.has(String(error.syscall));
}
