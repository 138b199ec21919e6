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

export interface EmailCodeSettings {
  readonly windowMs: number;
  /** Codes for one address, per client or known browser. */
  readonly perAddressHourly: number;
  /** Codes requested by one client, for all addresses. */
  readonly perClientHourly: number;
  /** Wrong codes by all clients together. */
  readonly wrongHourly: number;
}

export interface StreamTimes {
  readonly pollMs: number;
  /** Sent as a comment, so that proxies keep the connection open and both sides detect a dead one. */
  readonly heartbeatMs: number;
}

export interface ApiDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly bodyBox: BodyBox;
  readonly temporal: WorkflowStarts;
  readonly idKey: IdKey;
  /** Salts the lookup hashes of random tokens. Must not sign anything, because the database stores it. */
  readonly tokenSalt: Uint8Array;
  /** Keys for signatures and tags, derived from the encryption keys. */
  readonly signingRing: SigningRing;
  readonly emailCodes: EmailCodeSettings;
  /** Limit for the whole installation. */
  readonly invitationsPerDay: number;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly platformOAuth: PlatformOAuth;
  readonly platform: PlatformOperations;
  readonly outbound: OutboundLog;
  readonly maxUploadBytes: number;
  readonly temporalUiUrl: string | undefined;
  readonly temporalNamespace: string;
  readonly log: Log;
  readonly deployment: Deployment;
  readonly allowCidrs: readonly Cidr[];
  /** Monotonic clock in milliseconds. */
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
  /** Optional. Trusts the client address that a single proxy forwards. Default: false. */
  readonly trustProxy?: boolean;
  /** The platform webhooks, mounted before logging, authentication and body parsing. */
  readonly ingest: Router | null;
}
