import type { EventType } from '../event-types.ts';

/** What of a delivery goes into its headers. */
export interface SignableDelivery {
  readonly id: number;
  readonly eventId: number;
  readonly eventType: EventType;
  readonly channelId: string;
  /** Valid now, newest first. */
  readonly sealedSecrets: readonly string[];
  /** Decrypted. */
  readonly body: Uint8Array;
}
