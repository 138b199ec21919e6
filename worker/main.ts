import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Runtime } from '@temporalio/worker';
import { createMailer } from '../activities/people/mailer.ts';
import type { PumpFleet } from '../activities/pump/pump-fleet.ts';
import { loadConfig } from '../process/config.ts';
import { parseCidrs } from '../contract/addresses/classify-address.ts';
import { createBodyBox } from '../db/core/body-box.ts';
import { connectDatabase } from '../db/core/connect-database.ts';
import { createHotPool } from '../db/core/hot-pool.ts';
import { readInstallation } from '../db/core/installation.ts';
import { readInvariantCheckState } from '../db/upkeep/invariant-runs.ts';
import { createOutboundLog } from '../db/operations/outbound-calls.ts';
import { createSecretBox } from '../db/core/secret-box.ts';
import { createSigningRing } from '../db/core/signing-keys.ts';
import { readLeaseAges } from '../db/ledger/shards/fleet.ts';
import { readBacklog } from '../db/upkeep/backlog.ts';
import { openDeliveryNotifications } from '../db/core/delivery-notifications.ts';
import { createEgress } from '../egress/client.ts';
import { createLog } from '../process/log.ts';
import { createPlatformCredentials } from '../platform/oauth/credentials.ts';
import { createPlatformMedia } from '../platform/media/media.ts';
import { createWorkerMeter } from '../metrics/worker-metrics.ts';
import { startMetricsIfEnabled } from '../metrics/server.ts';
import { temporalConnection } from '../process/temporal-connection.ts';
import { runWorker } from './run-worker.ts';
import { coreLogging, sdkLogger } from './sdk-logger.ts';

/**
 * Independent of the number of shards: a pump claims and settles in batches, so that a few connections keep PostgreSQL
 * busy, and a statement that waits here is cheaper than one that waits there.
 */
const PUMP_CONNECTIONS = 10;
/** As many as claims run at the same time. */
const CLAIM_CONNECTIONS = 2;
/** Renewals and acquisitions. */
const LEASE_CONNECTIONS = 2;
/** The platform fetches an image before it responds. */
const MEDIA_CALL_TIMEOUT_MS = 30_000;

const config = loadConfig({ required: ['databaseUrl', 'encryptionKeys', 'platformAppSecret'] });
const log = createLog({ name: 'worker', level: config.logLevel });
const url = config.databaseUrl;

// Disabled, because the SDK would stop before the pumps have drained.
Runtime.install({ shutdownSignals: [], logger: sdkLogger(log), telemetryOptions: { logging: coreLogging } });
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());

const db = connectDatabase({ url, applicationName: 'service-worker', poolSize: config.databasePoolSize });
const installation = await readInstallation(db);
const pool = createHotPool({
  url,
  applicationName: 'service-pump',
  connections: PUMP_CONNECTIONS,
  onError: (error) => log.warn('connection.lost', { error }),
});
const claimPool = createHotPool({
  url,
  applicationName: 'service-claim',
  connections: CLAIM_CONNECTIONS,
  prunesPartitions: true,
  onError: (error) => log.warn('connection.lost', { error }),
});
const leasePool = createHotPool({
  url,
  applicationName: 'service-lease',
  connections: LEASE_CONNECTIONS,
  onError: (error) => log.warn('connection.lost', { error }),
});
const meter = createWorkerMeter();
meter.invariants({ read: () => readInvariantCheckState(db), now: () => Date.now() });
meter.backlog({ read: () => readBacklog(pool), now: () => performance.now() });
const standing: { isStarted: boolean; fleet?: PumpFleet } = { isStarted: false };
meter.leases({
  read: () => readLeaseAges(pool),
  now: () => performance.now(),
  idleMs: () => standing.fleet?.idleMs(),
});
const metrics = await startMetricsIfEnabled({
  port: config.workerMetricsPort,
  host: config.metricsHost,
  register: meter.register,
  isReady: () => standing.isStarted && !stopping.signal.aborted && standing.fleet?.isServing() !== false,
  log,
});
const wake = openDeliveryNotifications({ url, log });
const egress = createEgress({
  allowCidrs: parseCidrs(config.egressAllowCidrs.join(',')),
  allowHttp: config.deployment === 'development',
  timeoutMs: config.deliveryTimeoutMs,
  maxConnectionsPerGroup: config.destinationInFlight,
  maxConnectionsPerWorkspace: config.workspaceConnections,
  maxConnections: config.workerConnections,
  referenceUrl: config.platformApiUrl,
  meter: meter.egress,
});
meter.egress.watch(egress.stats);
const platformMedia = createPlatformMedia({
  apiUrl: config.platformApiUrl,
  appSecret: config.platformAppSecret,
  timeoutMs: MEDIA_CALL_TIMEOUT_MS,
});
const outbound = createOutboundLog({ db, log });
const platformCredentials = createPlatformCredentials({
  apiUrl: config.platformApiUrl,
  version: config.platformApiVersion,
  clientId: config.platformClientId,
  appSecret: config.platformAppSecret,
});
const mailer = config.smtpUrl === undefined ? null : createMailer({ url: config.smtpUrl, from: config.mailFrom });
if (!mailer) log.warn('mail.unconfigured', { setting: 'SMTP_URL' }); // only codes and invitations need it
const { options: connectionOptions, namespace } = temporalConnection();

try {
  await runWorker({
    connectionOptions,
    namespace,
    owner: { installationId: installation.publicId, baseUrl: config.baseUrl },
    roles: config.workerRoles,
    leasePool,
    deliveryShards: installation.deliveryShards,
    scheduleMs: config.retryScheduleMs,
    pollScheduleMs: config.pollScheduleMs,
    shutdownGraceMs: config.shutdownGraceSeconds * 1_000,
    parts: {
      db,
      pool,
      claimPool,
      wake,
      egress,
      secretBox: createSecretBox(config.encryptionKeys),
      bodyBox: createBodyBox({ keys: config.encryptionKeys, encryptsBodies: config.encryptEventBodies }),
      idKey: installation.idKey,
      tokenSalt: installation.tokenSalt,
      signingRing: createSigningRing(config.encryptionKeys),
      mailer,
      platformMedia,
      outbound,
      platformCredentials,
      credentialRefreshMs: config.credentialRefreshDays * 86_400_000,
      baseUrl: config.baseUrl,
      settings: {
        scheduleMs: config.retryScheduleMs,
        conversationHoldMs: config.conversationHoldSeconds * 1_000,
        destinationInFlight: config.destinationInFlight,
        workspaceInFlight: config.workspaceInFlight,
        probeDelaysMs: config.circuitProbeDelaysMs,
        failingDisableMs: config.failingDisableHours * 3_600_000,
        attemptTimeoutMs: config.deliveryTimeoutMs,
      },
      retention: { retentionDays: config.retentionDays, eventKeyDays: config.eventKeyDays },
      holder: `${hostname()}/${process.pid}/${randomUUID()}`,
      stopping: stopping.signal,
      meter,
      log,
    },
    onFleet: (fleet) => void (standing.fleet = fleet),
    onStarted: () => void (standing.isStarted = true),
    isStarted: () => standing.isStarted,
    stopping: stopping.signal,
    log,
  });
  log.info('worker.stopped');
} catch (error) {
  log.error('worker.failed', { error });
  process.exitCode = 1;
} finally {
  mailer?.close();
  await outbound.stop();
  await Promise.allSettled([
    metrics?.close(),
    egress.close(),
    platformMedia.close(),
    platformCredentials.close(),
    wake.close(),
    leasePool.end(),
    claimPool.end(),
    pool.end(),
    db.destroy(),
  ]);
  await log.flush();
  process.exit();
}
