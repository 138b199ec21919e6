import type { ChannelType } from '../../contract/event-types.ts';
import type { OnCall } from '../client/call-report.ts';

export interface PlatformAccount {
  readonly resourceId: string;
  readonly name: string;
  readonly token: string;
  readonly expiresAtMs: number | null;
  /** A business account or a Page. */
  readonly subscriptionId: string;
  /** A Page's photo account, or a photo account's Page. */
  readonly linkedResourceId: string | null;
  /** False for a number that receives no events until it is registered. */
  readonly isRegistered: boolean;
}

export interface CustomerToken {
  readonly token: string;
  readonly expiresAtMs: number | null;
}

export interface AccountsRequest extends CustomerToken {
  readonly type: ChannelType;
  /** `<client id>|<client secret>`. */
  readonly appToken: string;
  readonly signal: AbortSignal;
  readonly onCall?: OnCall | undefined;
}
