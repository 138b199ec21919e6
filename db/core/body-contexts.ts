import type { StoredBody } from './body-box.ts';

/** What is authenticated with each sealed body: everything that decides where it goes, and is known before its insert. */
export const bodyContexts = {
  event: ({ channelType, resourceId, eventType, conversationKey }: EventPlace) =>
    `events.body/${channelType ?? ''}/${eventType ?? ''}/${conversationKey ?? 0}/${resourceId ?? ''}`,
  /** A receiver's answer; tests have delivery numbers of the same sequence. */
  response: (deliveryNumber: number) => `attempts.response_body/${deliveryNumber}`,
} as const;

/** An item is sealed before it is known whether its channel is: both tables keep it under one context. */
export interface EventPlace {
  readonly channelType: string | null;
  readonly resourceId: string | null;
  readonly eventType: string | null;
  /** Null of unrouted items that were stored before they kept it. */
  readonly conversationKey: number | null;
}

/** An `EventPlace` as SQL, over the aliases `e` of the event and `c` of its channel; null if the body is in the clear. */
export const eventPlaceSql = `case when e.body_key_id is not null then jsonb_build_object(
    'channelType', c.type, 'resourceId', c.resource_id, 'eventType', e.event_type, 'conversationKey', e.conversation_key) end`;

/** An event's body as its row keeps it. */
export interface EventBodyRow {
  readonly body: Buffer;
  readonly body_key_id: string | null;
  /** Null if the body is in the clear. */
  readonly place: EventPlace | null;
}

/** A receiver's answer as it was read; null where there was none. */
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
