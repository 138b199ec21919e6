const KEY_BYTES = 16;

/**
 * Tells the service that a repeat of a request is one. Made when a form opens, so that a second click, or a try after a
 * lost answer, does nothing twice. Not `randomUUID`, which pages that did not come over TLS have not.
 */
export function idempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
