import type { BodyBudget } from '../../process/body-budget.ts';
import type { GatewayContainers } from '../../db/containers/gateway-containers.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import type { OpenToken } from '../../db/channels/open-token.ts';
import type { SchemaState } from '../../db/upkeep/schema-state.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { GatewayMeter } from '../../metrics/gateway-metrics.ts';
import type { Log } from '../../process/log.ts';
import type { Traces } from '../../process/traces/traces.ts';

export interface ChannelDirectory {
  /** Reads the database, so that revocation is immediate. */
  readonly openToken: OpenToken;
  /** No effect if the credential has changed since. */
  refuseCredential(dead: {
    readonly channelId: number;
    readonly reason: string;
    readonly refusedToken: string;
  }): Promise<void>;
  readonly containers: GatewayContainers;
  schemaState(): Promise<SchemaState>;
}

export interface GatewayLimits {
  readonly callsPerMinute: number;
  readonly callsUnderWay: number;
  readonly failuresPerMinute: number;
  readonly bodyBytes: number;
  /** For bodies that are read whole to check their ids. */
  readonly parameterBytes: number;
  readonly answerBytes: number;
  readonly fileBytes: number;
  readonly headersMs: number;
  readonly callMs: number;
  /** Additional time to read the response. */
  readonly answerMarginMs: number;
}

export const defaultLimits: GatewayLimits = {
  callsPerMinute: 6_000,
  // The platform accepts 1,000 messages per second from one number, at about 200 ms each.
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
  readonly secretBox: SecretBox;
  readonly apiUrl: string;
  readonly appSecret: string;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly log: Log;
  /** True from the stop request on. */
  readonly isStopping: () => boolean;
  /** Optional. Trusts X-Forwarded-For of a single proxy. Default: false. */
  readonly trustProxy?: boolean;
  readonly limits?: Partial<GatewayLimits>;
  /** Optional. Default: a new budget. */
  readonly bodies?: BodyBudget;
  /** Optional. Default: no traces. */
  readonly traces?: Traces;
  /** Optional. Omit to disable metrics. */
  readonly meter?: GatewayMeter;
}
