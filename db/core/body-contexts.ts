import type { StoredBody } from './body-box.ts';

export const bodyContexts = {
  event: ({ channelType, resourceId, eventType, conversationKey }: EventPlace) =>
    `events.body/${channelType ?? ''}/${eventType ?? ''}/${conversationKey ?? 0}/${resourceId ?? ''}`,
  /** Test events share the delivery sequence. */
  response: (deliveryNumber: number) => `attempts.response_body/${deliveryNumber}`,
} as const;

/** Bodies are sealed before the channel lookup, so `events` and `unrouted_events` have the same context. */
export interface EventPlace {
  readonly channelType: string | null;
  readonly resourceId: string | null;
  readonly eventType: string | null;
  /** Null for old unrouted events. */
  readonly conversationKey: number | null;
}

/** Requires the event `e` and its channel `c`. */
export const eventPlaceSql = `case when e.body_key_id is not null then jsonb_build_object(
    'channelType', c.type, 'resourceId', c.resource_id, 'eventType', e.event_type, 'conversationKey', e.conversation_key) end`;

export interface EventBodyRow {
  readonly body: Buffer;
  readonly body_key_id: string | null;
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

/** Puts the body of an event into its record. */
export function withBody<Row extends EventBodyRow>(row: Row): Omit<Row, keyof EventBodyRow> & { body: StoredBody } {
  const { body, body_key_id, place, ...others } = row;
  return { ...others, body: eventBodyFromRow({ body, body_key_id, place }) };
}

export function eventBodyFromRow({ body, body_key_id: keyId, place }: EventBodyRow): StoredBody {
  return keyId === null ? body : { sealed: body, keyId, context: bodyContexts.event(place!) };
}
