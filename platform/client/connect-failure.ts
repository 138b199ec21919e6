/** None of these occurs after sending. */
const CONNECT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
]);

/**
 * Returns true if nothing was sent. With several addresses, every attempt must have failed so. Codes such as ETIMEDOUT
 * also occur on open connections, so `syscall` decides.
 */
export function isBeforeSending(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isBeforeSending);
  if ('code' in error && typeof error.code === 'string' && CONNECT_CODES.has(error.code)) return true;
  return 'syscall' in error && error.syscall === 'connect';
}
