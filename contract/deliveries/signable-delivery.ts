import type { EventType } from '../event-types.ts';

export interface SignableDelivery {
  readonly id: number;
  readonly eventId: number;
  readonly eventType: EventType;
  readonly channelId: string;
  /** All valid secrets, newest first. */
  readonly sealedSecrets: readonly string[];
  readonly body: Uint8Array;
}
