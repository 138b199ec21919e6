import type { EventType } from '../../../contract/event-types.ts';
import type { DestinationOptions } from '../../../contract/destinations/options.ts';
import type { DestinationOrdering } from '../../../contract/deliveries/status.ts';
import type { StoredBody } from '../../core/body-box.ts';
import { eventBodyFromRow } from '../../core/body-contexts.ts';

export interface ClaimedDelivery {
  readonly id: number;
  readonly eventId: number;
  readonly eventType: EventType;
  /** Optional. See `eventFlagsText`. Default: null. */
  readonly eventFlags?: string | null;
  readonly destinationId: number;
  readonly channelId: string;
  readonly workspaceId: string;
  readonly conversationKey: number;
  readonly ordering: DestinationOrdering;
  readonly attemptCount: number;
  readonly acceptedAtMs: number;
  readonly failedInSchedule: number;
  /** Null outside the recovery ramp. */
  readonly recoveredForMs: number | null;
  readonly url: string;
  readonly sealedSecrets: readonly string[];
  readonly body: StoredBody;
  /** Null if the event is not sampled. */
  readonly traceParent: string | null;
  readonly sendsTraceParent: boolean;
  /** Null if the destination has only defaults. */
  readonly options: DestinationOptions | null;
  /** `DestinationCredentials`, or null. */
  readonly sealedCredentials: string | null;
  /** Optional. Further deliveries of the conversation in the same request. Default: the destination is not debounced. */
  readonly following?: readonly ClaimedDelivery[];
}

export interface DeliveryRow {
  id: number;
  event_id: number;
  event_type: EventType;
  flags: string | null;
  destination_id: number;
  conversation_key: number;
  attempt_count: number;
  created_at: Date;
  failed_in_schedule: number;
  body: Buffer;
  body_key_id: string | null;
  trace_parent: string | null;
  /** A replayed delivery has another key than its event. */
  event_conversation_key: number;
}

export interface ClaimedDestination extends Pick<
  ClaimedDelivery,
  | ('channelId' | 'workspaceId' | 'ordering' | 'url' | 'sealedSecrets' | 'recoveredForMs' | 'sendsTraceParent')
  | ('options' | 'sealedCredentials')
> {
  readonly channelType: string;
  readonly resourceId: string;
}

export function toDelivery(row: DeliveryRow, destination: ClaimedDestination): ClaimedDelivery {
  const { channelId, workspaceId, ordering, recoveredForMs, url, sealedSecrets, sendsTraceParent } = destination;
  const { options, sealedCredentials } = destination;
  return {
    id: row.id,
    eventId: row.event_id,
    eventType: row.event_type,
    eventFlags: row.flags,
    destinationId: row.destination_id,
    channelId,
    workspaceId,
    conversationKey: row.conversation_key,
    ordering,
    attemptCount: row.attempt_count,
    acceptedAtMs: row.created_at.getTime(),
    failedInSchedule: row.failed_in_schedule,
    recoveredForMs,
    url,
    sealedSecrets,
    body: bodyOf(row, destination),
    traceParent: row.trace_parent,
    sendsTraceParent,
    options,
    sealedCredentials,
  };
}

function bodyOf(row: DeliveryRow, { channelType, resourceId }: ClaimedDestination): StoredBody {
  const { body, body_key_id, event_type: eventType } = row;
  const conversationKey = row.event_conversation_key;
  return eventBodyFromRow({ body, body_key_id, place: { channelType, resourceId, eventType, conversationKey } });
}
