import { type BatchItem, batchText, eventCountHeader } from './batch.ts';

export interface RecordedText {
  readonly headers: Readonly<Record<string, string>>;
  readonly bodySha256: string;
  /** Null if the request contained no array, or if one of its events is no longer stored. */
  readonly events: readonly Omit<BatchItem, 'body'>[] | null;
}

/** Injected, because contract/ has neither a network nor a crypto library. */
export interface TextSources {
  /** Returns null for a delivery that is no longer stored. */
  readonly payloadOf: (deliveryId: string) => Promise<string | null>;
  readonly sha256Hex: (text: string) => Promise<string>;
}

/** Of payloads that are read at a time. A request has at most a hundred. */
const READS = 8;

/**
 * Returns the body of a recorded request from the payloads of its deliveries. Returns null if one of its events is no
 * longer stored as it was sent.
 */
export async function sentText(
  { headers, bodySha256, events }: RecordedText,
  own: { readonly deliveryId: string; readonly payload: string },
  { payloadOf, sha256Hex }: TextSources,
): Promise<string | null> {
  if (headers[eventCountHeader] === undefined) return own.payload;
  const items = [];
  for (let first = 0; first < (events?.length ?? 0); first += READS) {
    const slice = events!.slice(first, first + READS);
    const payloads = await Promise.all(
      slice.map(async ({ deliveryId }) => (deliveryId === own.deliveryId ? own.payload : await payloadOf(deliveryId))),
    );
    for (const [index, payload] of payloads.entries()) {
      if (payload === null) return null;
      items.push({ ...slice[index]!, payload });
    }
  }
  const text = batchText(items);
  return (await sha256Hex(text)) === bodySha256 ? text : null;
}
