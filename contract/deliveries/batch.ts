/**
 * The body of a debounced destination's request: a JSON array of the events of one conversation, in order. Each element
 * has the ids that the headers of a single delivery have, and the event byte for byte.
 */
export interface BatchItem {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Optional. See `eventFlagsText`. Default: null, and no such member. */
  readonly eventFlags?: string | null;
  readonly attempt: number;
  readonly body: Uint8Array;
}

/** Of the events in one request. A larger event is sent alone. */
export const MAX_BATCH_BYTES = 1_048_576;

export const eventCountHeader = 'x-service-event-count';

const BATCH_PREFIX = 'wb_';
const HASH_DIGITS = 24;

/** Injected, because contract/ imports no crypto library. */
export type Sha256Hex = (text: string) => string;

/** The same for the same deliveries, so that receivers recognize a request that is repeated. */
export function batchIdOf(deliveryIds: readonly string[], sha256Hex: Sha256Hex): string {
  return BATCH_PREFIX + sha256Hex(deliveryIds.join(',')).slice(0, HASH_DIGITS);
}

/** The text before the body of each event; `BATCH_END` follows the last one. Ids and types need no escapes. */
export function beforeItem(
  { deliveryId, eventId, eventType, eventFlags, attempt }: Omit<BatchItem, 'body'>,
  index: number,
): string {
  const start = index === 0 ? '[' : '},';
  const ids = `"deliveryId":"${deliveryId}","eventId":"${eventId}","eventType":"${eventType}"`;
  const flags = typeof eventFlags === 'string' ? `,"eventFlags":"${eventFlags}"` : '';
  return `${start}{${ids}${flags},"attempt":${attempt},"event":`;
}

export const BATCH_END = '}]';

/** The array as text, from events whose bodies are text. */
export function batchText(items: readonly (Omit<BatchItem, 'body'> & { readonly payload: string })[]): string {
  return items.map((item, index) => beforeItem(item, index) + item.payload).join('') + BATCH_END;
}
