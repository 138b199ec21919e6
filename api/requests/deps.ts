import type { DirectCalls } from './direct-calls.ts';
import type { Knex } from 'knex';
import type { BodyBudget } from '../../process/body-budget.ts';
import type { Cidr } from '../../contract/addresses/classify-address.ts';
import type { Deployment } from '../../openapi/people/cookies.ts';
import type { IdKey } from '../../contract/ids.ts';
import type { BodyBox } from '../../db/core/body-box.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { SigningRing } from '../../db/core/signing-keys.ts';
import type { Log } from '../../process/log.ts';
import type { InstallationStatus } from '../../db/upkeep/installation-status.ts';
import type { WorkersState } from '../../db/upkeep/workers-state.ts';
import type { Traces } from '../../process/traces/traces.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import type { ApiMeter } from '../../metrics/api-metrics.ts';
import type { PlatformOAuth } from '../../platform/oauth/oauth.ts';
import type { PlatformOperations } from '../../platform/operations/operations.ts';
import type { LastUsed } from './last-used.ts';
import type { NextTurn } from './loop-turns.ts';
import type { RateLimits } from './rate-limits.ts';
import type { SlowReads } from './slow-reads.ts';
import type { ApiShares } from './api-shares.ts';
import type { NamespaceState } from '../../workflow-starts/namespace-state.ts';
import type { TaskQueueStatus } from '../../workflow-starts/task-queue-status.ts';
import type { WorkflowStarts } from '../../workflow-starts/workflow-starts.ts';

/** What the platform's webhooks need. */
export interface Ingest {
  readonly events: { accept(body: Buffer): Promise<'accepted' | 'malformed'> };
  /** A webhook may be signed with any of them. */
  readonly appSecrets: readonly string[];
  readonly verifyToken: string;
}

export interface EmailCodeSettings {
  /** For one address, per client or known browser. */
  readonly perAddressHourly: number;
  readonly perClientHourly: number;
  readonly wrongHourly: number;
}

export interface StreamTimes {
  readonly pollMs: number;
  /** Keeps proxies from closing the connection. */
  readonly heartbeatMs: number;
}

export interface ApiDeps {
  readonly db: Knex;
  /**
   * For lists, searches and statistics, which may lag. Has its own connections and a shorter statement timeout. Authentication, lookups by id and everything that follows a write
   * of the same request read from `db`.
   */
  readonly readDb: Knex;
  readonly slowReads: SlowReads;
  readonly secretBox: SecretBox;
  readonly bodyBox: BodyBox;
  readonly starts: WorkflowStarts;
  readonly idKey: IdKey;
  /** For lookup hashes. Must not sign anything, because the database stores it. */
  readonly tokenSalt: Uint8Array;
  /** For signatures and tags; derived from the encryption keys. */
  readonly signingRing: SigningRing;
  readonly emailCodes: EmailCodeSettings;
  readonly invitationsPerDay: number;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly platformOAuth: PlatformOAuth;
  readonly platform: PlatformOperations;
  readonly outbound: OutboundLog;
  /** Optional. Accepts an envelope as the platform's webhook does. */
  readonly acceptEvents?: (body: Buffer) => Promise<unknown>;
  readonly maxUploadBytes: number;
  readonly temporalUiUrl: string | undefined;
  readonly temporalNamespace: string;
  /** Optional. Where the dashboard shows a trace. */
  readonly traceUrlTemplate?: string | undefined;
  /** Optional. Default: no traces. */
  readonly traces?: Traces;
  readonly log: Log;
  readonly deployment: Deployment;
  readonly allowCidrs: readonly Cidr[];
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Optional. Default: one slice of all requests in each turn of the event loop. */
  readonly nextTurn?: NextTurn;
  /** Optional. Omit to disable rate limits. */
  readonly rateLimits?: RateLimits;
  readonly bodies: BodyBudget;
  /** Optional. Omit to skip recording key uses. */
  readonly lastUsed?: LastUsed;
  /** Optional. Omit to disable metrics. */
  readonly meter?: ApiMeter;
  readonly shares: ApiShares;
  readonly streamTimes?: StreamTimes & { readonly stalledMs: number };
  /** Optional. Default: 500 ms. */
  readonly accessCheckMs?: number;
  /** Optional. Default: `dist/reference`. */
  readonly referenceFolder?: string;
  /** Optional. Default: `dashboard/dist`. */
  readonly dashboardFolder?: string;
  /** Optional. Default: `dist/guides`. */
  readonly guidesFolder?: string;
  /** Optional. Default: calls that no stop ends. */
  readonly directCalls?: DirectCalls;
  readonly namespaceState: () => Promise<NamespaceState>;
  readonly workersState: () => Promise<WorkersState>;
  readonly installationStatus: () => Promise<InstallationStatus>;
  /** Resolves to undefined while Temporal does not answer. */
  readonly taskQueues: () => Promise<readonly TaskQueueStatus[] | undefined>;
  /** Optional. True from the stop request on. Default: never. */
  readonly isStopping?: () => boolean;
  /** Optional. Trusts the client address from a single proxy. Default: false. */
  readonly trustProxy?: boolean;
  /** Null to omit the platform webhooks. */
  readonly ingest: Ingest | null;
}
