import type { EventType } from '../event-types.ts';

export interface SignableDelivery {
  readonly id: number;
  readonly eventId: number;
  readonly eventType: EventType;
  /** Optional. See `eventFlagsText`. Default: null. */
  readonly eventFlags?: string | null;
  readonly channelId: string;
  /** All valid secrets, newest first. */
  readonly sealedSecrets: readonly string[];
  readonly body: Uint8Array;
}
