import type { BodyBudget } from '../../process/body-budget.ts';
import type { GatewayContainers } from '../../db/containers/gateway-containers.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import type { OpenToken } from '../../db/channels/open-token.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { GatewayMeter } from '../../metrics/gateway-metrics.ts';
import type { Log } from '../../process/log.ts';

/** What is known of channels and their tokens. */
export interface ChannelDirectory {
  /** Asked for every call: a token that was rotated away or has expired ends with the next call. */
  readonly openToken: OpenToken;
  /** Marks the channel disconnected, unless it has another credential than the refused one by now. */
  disconnect(dead: {
    readonly channelId: number;
    readonly reason: string;
    readonly refusedToken: string;
  }): Promise<void>;
  /** Media containers, of which only the database knows whose they are. */
  readonly containers: GatewayContainers;
  /** Whether the database answers. */
  isReachable(): Promise<boolean>;
}

export interface GatewayLimits {
  readonly callsPerMinute: number;
  readonly callsUnderWay: number;
  readonly failuresPerMinute: number;
  readonly bodyBytes: number;
  /** Of bodies that are read whole, because ids in them are checked. */
  readonly parameterBytes: number;
  readonly answerBytes: number;
  readonly fileBytes: number;
  readonly headersMs: number;
  readonly callMs: number;
  /** On top of that, for the caller to read its answer. */
  readonly answerMarginMs: number;
}

export const defaultLimits: GatewayLimits = {
  callsPerMinute: 6_000,
  // The platform takes up to 1,000 messages a second of one number, at some 200 ms each.
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
  /** Seals the addresses of files that callers get to see. */
  readonly secretBox: SecretBox;
  /** Where the platform's API is, without a version. */
  readonly apiUrl: string;
  readonly appSecret: string;
  /** What chatapp bodies name their product by at the platform; empty or left out for the upstream's word. */
  readonly chatappWord?: string;
  /** Where the API is reached, which says how to get a token. */
  readonly baseUrl: string;
  /** Where callers reach the gateway. */
  readonly gatewayUrl: string;
  readonly log: Log;
  /** Behind one proxy that writes X-Forwarded-For. */
  readonly trustProxy?: boolean;
  readonly limits?: Partial<GatewayLimits>;
  /** The bytes of request bodies that this process may hold; by default a budget of its own. */
  readonly bodies?: BodyBudget;
  /** Left out where nobody counts. */
  readonly meter?: GatewayMeter;
}
