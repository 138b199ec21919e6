/** Codes of a look-up, of a connection, and of a request that could not even be written; none of them comes later. */
const CONNECT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
]);

/**
 * Tells whether a call failed before any of it was sent. Of a host with several addresses, each try must have failed
 * so. Codes such as ETIMEDOUT come from open connections too; there the system call tells.
 */
export function isBeforeSending(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isBeforeSending);
  if ('code' in error && typeof error.code === 'string' && CONNECT_CODES.has(error.code)) return true;
  return 'syscall' in error && error.syscall === 'connect';
}
