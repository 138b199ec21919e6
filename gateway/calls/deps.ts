import type { BodyBudget } from '../../process/body-budget.ts';
import type { GatewayContainers } from '../../db/containers/gateway-containers.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import type { OpenToken } from '../../db/channels/open-token.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { GatewayMeter } from '../../metrics/gateway-metrics.ts';
import type { Log } from '../../process/log.ts';

export interface ChannelDirectory {
  /** Called for every call, so that a revoked or expired token stops working immediately. */
  readonly openToken: OpenToken;
  /** Marks the channel disconnected, unless its credential has changed since. */
  disconnect(dead: {
    readonly channelId: number;
    readonly reason: string;
    readonly refusedToken: string;
  }): Promise<void>;
  /** Owners of media containers, which the platform does not report. */
  readonly containers: GatewayContainers;
  /** Whether the database answers and is migrated. */
  isReachable(): Promise<boolean>;
}

export interface GatewayLimits {
  readonly callsPerMinute: number;
  readonly callsUnderWay: number;
  readonly failuresPerMinute: number;
  readonly bodyBytes: number;
  /** Maximum size of a body that is read whole, because the ids in it are checked. */
  readonly parameterBytes: number;
  readonly answerBytes: number;
  readonly fileBytes: number;
  readonly headersMs: number;
  readonly callMs: number;
  /** Time after `callMs` for the caller to read the response. */
  readonly answerMarginMs: number;
}

export const defaultLimits: GatewayLimits = {
  callsPerMinute: 6_000,
  // The platform accepts up to 1,000 messages per second from one number, at about 200 ms each.
  callsUnderWay: 256,
  failuresPerMinute: 60,
  bodyBytes: 100 * 1024 * 1024,
  parameterBytes: 1024 * 1024,
  answerBytes: 4 * 1024 * 1024,
  fileBytes: 100 * 1024 * 1024,
  headersMs: 30_000,
  callMs: 60_000,
  answerMarginMs: 10_000,
};

export interface GatewayDeps {
  readonly channels: ChannelDirectory;
  readonly outbound: OutboundLog;
  /** Seals the file addresses in responses. */
  readonly secretBox: SecretBox;
  /** The URL of the platform's API, without a version. */
  readonly apiUrl: string;
  readonly appSecret: string;
  /** Optional. The product name in chatapp bodies; the platform's own by default or if empty. */
  readonly chatappWord?: string;
  /** The URL of the API, which describes how to get a token. */
  readonly baseUrl: string;
  /** The public URL of the gateway. */
  readonly gatewayUrl: string;
  readonly log: Log;
  /** Optional. Set behind one proxy that writes X-Forwarded-For; false by default. */
  readonly trustProxy?: boolean;
  readonly limits?: Partial<GatewayLimits>;
  /** Optional. Limits the bytes of request bodies in memory; a new budget by default. */
  readonly bodies?: BodyBudget;
  /** Optional. Omit to disable metrics. */
  readonly meter?: GatewayMeter;
}
