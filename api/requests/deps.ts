import type Router from '@koa/router';
import type { Knex } from 'knex';
import type { BodyBudget } from '../../process/body-budget.ts';
import type { Cidr } from '../../contract/addresses/classify-address.ts';
import type { Deployment } from '../../openapi/people/cookies.ts';
import type { IdKey } from '../../contract/ids.ts';
import type { BodyBox } from '../../db/core/body-box.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { SigningRing } from '../../db/core/signing-keys.ts';
import type { Log } from '../../process/log.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import type { ApiMeter } from '../../metrics/api-metrics.ts';
import type { PlatformOAuth } from '../../platform/oauth/oauth.ts';
import type { PlatformOperations } from '../../platform/operations/operations.ts';
import type { LastUsed } from './last-used.ts';
import type { RateLimits } from './rate-limits.ts';
import type { ConnectionSlots } from './connection-slots.ts';
import type { WorkflowStarts } from '../../workflow-starts/workflow-starts.ts';

/** The bounds on codes by e-mail, as the settings give them. */
export interface EmailCodeSettings {
  readonly windowMs: number;
  /** For one address, by one client or one browser that it knows. */
  readonly perAddressHourly: number;
  /** By one client, for all addresses. */
  readonly perClientHourly: number;
  /** Wrong ones, by all clients together. */
  readonly wrongHourly: number;
}

export interface StreamTimes {
  readonly pollMs: number;
  /** Comes as a comment, so that proxies keep the connection and both sides notice a dead one. */
  readonly heartbeatMs: number;
}

/** All that the API needs from outside. */
export interface ApiDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly bodyBox: BodyBox;
  readonly temporal: WorkflowStarts;
  readonly idKey: IdKey;
  /** Keys the look-up hashes of random tokens; it signs nothing, because the database holds it. */
  readonly tokenSalt: Uint8Array;
  /** Signs what authenticates by computation. */
  readonly signingRing: SigningRing;
  readonly emailCodes: EmailCodeSettings;
  /** Mails of invitations that the whole installation sends a day at most. */
  readonly invitationsPerDay: number;
  readonly baseUrl: string;
  /** Where clients reach the gateway with a channel's token. */
  readonly gatewayUrl: string;
  /** Where customers give their consent. */
  readonly platformOAuth: PlatformOAuth;
  /** Acts for connected accounts at the platform. */
  readonly platform: PlatformOperations;
  /** Where every call to the platform is written down. */
  readonly outbound: OutboundLog;
  /** The largest file that is taken for a message. */
  readonly maxUploadBytes: number;
  readonly temporalUiUrl: string | undefined;
  /** Of all workflows, for links to them. */
  readonly temporalNamespace: string;
  readonly log: Log;
  readonly deployment: Deployment;
  readonly allowCidrs: readonly Cidr[];
  /** Milliseconds of a monotonic clock, for durations. */
  readonly now: () => number;
  /** Optional. Omit to disable rate limits. */
  readonly rateLimits?: RateLimits;
  readonly bodies: BodyBudget;
  /** Optional. Omit to skip recording key uses. */
  readonly lastUsed?: LastUsed;
  /** Optional. Omit to disable metrics. */
  readonly meter?: ApiMeter;
  /** Optional. Default: slots owned by the API. */
  readonly streams?: ConnectionSlots;
  /** Optional. Overrides the polling and heartbeat intervals of streams. */
  readonly streamTimes?: StreamTimes & { readonly stalledMs: number };
  /** Optional. The interval of access checks. Default: 500 ms. */
  readonly accessCheckMs?: number;
  /** Optional. Default: `dashboard/dist`. */
  readonly dashboardFolder?: string;
  /** Optional. Default: slots owned by the API. */
  readonly waitingReaders?: ConnectionSlots;
  /** Whether forwarded client addresses are trusted from one proxy. */
  readonly trustProxy?: boolean;
  /** The platform's webhooks: mounted ahead of logging, authentication and body parsing. */
  readonly ingest: Router | null;
}
