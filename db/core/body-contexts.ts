import type { StoredBody } from './body-box.ts';

/** The context that is authenticated with each sealed body: its routing, as far as known before the insert. */
export const bodyContexts = {
  event: ({ channelType, resourceId, eventType, conversationKey }: EventPlace) =>
    `events.body/${channelType ?? ''}/${eventType ?? ''}/${conversationKey ?? 0}/${resourceId ?? ''}`,
  /** Test events draw their delivery numbers from the same sequence. */
  response: (deliveryNumber: number) => `attempts.response_body/${deliveryNumber}`,
} as const;

/** An item is sealed before its channel is looked up, so `events` and `unrouted_events` have the same context. */
export interface EventPlace {
  readonly channelType: string | null;
  readonly resourceId: string | null;
  readonly eventType: string | null;
  /** Null for unrouted items from before this column existed. */
  readonly conversationKey: number | null;
}

/** SQL for the `EventPlace` of the event `e` and its channel `c`; null if the body is plaintext. */
export const eventPlaceSql = `case when e.body_key_id is not null then jsonb_build_object(
    'channelType', c.type, 'resourceId', c.resource_id, 'eventType', e.event_type, 'conversationKey', e.conversation_key) end`;

export interface EventBodyRow {
  readonly body: Buffer;
  readonly body_key_id: string | null;
  /** Null if the body is plaintext. */
  readonly place: EventPlace | null;
}

export function responseBodyFrom(
  bytes: Buffer | null,
  keyId: string | null,
  deliveryNumber: number,
): StoredBody | null {
  if (bytes === null || keyId === null) return bytes;
  return { sealed: bytes, keyId, context: bodyContexts.response(deliveryNumber) };
}

export function eventBodyFromRow({ body, body_key_id: keyId, place }: EventBodyRow): StoredBody {
  return keyId === null ? body : { sealed: body, keyId, context: bodyContexts.event(place!) };
}
