const KEY_BYTES = 16;

/**
 * Created when a form opens, so that a second click or a retry has no effect. `randomUUID` is missing on pages served
 * without TLS.
 */
export function idempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
