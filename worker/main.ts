import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createMailer } from '../activities/mails/mailer.ts';
import type { PumpFleet } from '../activities/pump/pump-fleet.ts';
import { loadConfig } from '../process/config.ts';
import { parseCidrs } from '../contract/addresses/classify-address.ts';
import { answersNewConnection } from '../db/core/answers-new-connection.ts';
import { createBodyBox } from '../db/core/body-box.ts';
import { connectDatabase } from '../db/core/connect-database.ts';
import { createHotPool } from '../db/core/hot-pool.ts';
import { openInstallation } from '../db/upkeep/open-installation.ts';
import { exitOnFailure, failureFields, onStopSignal } from '../process/stop-signals.ts';
import { readInvariantCheckState } from '../db/upkeep/invariant-runs.ts';
import { createOutboundLog, traceOutboundCalls } from '../db/operations/outbound-calls.ts';
import { createSecretBox } from '../db/core/secret-box.ts';
import { createSigningRing } from '../db/core/signing-keys.ts';
import { readShardService } from '../db/ledger/shards/fleet.ts';
import { readDatabaseState } from '../db/upkeep/database-state.ts';
import { readUpkeepState } from '../db/upkeep/upkeep-state.ts';
import { readBacklog } from '../db/upkeep/backlog.ts';
import { openDeliveryNotifications } from '../db/core/delivery-notifications.ts';
import { createEgress } from '../egress/client.ts';
import { readCertificateEnds } from '../process/certificates.ts';
import { createLog } from '../process/log.ts';
import { createPlatformCredentials } from '../platform/oauth/credentials.ts';
import { createPlatformOperations } from '../platform/operations/operations.ts';
import { createPlatformHealth } from '../platform/health/health.ts';
import { createPlatformMedia } from '../platform/media/media.ts';
import { addCertificateMetrics } from '../metrics/certificate-metrics.ts';
import { addPoolMetrics, poolOf } from '../metrics/pool-metrics.ts';
import { addStateMetrics } from '../metrics/state-metrics.ts';
import { addTemporalMetrics } from '../metrics/temporal-metrics.ts';
import { createWorkerMeter } from '../metrics/worker-metrics.ts';
import { startMetricsIfEnabled } from '../metrics/server.ts';
import { temporalConnection } from '../process/temporal-connection.ts';
import { addTraceMetrics } from '../metrics/trace-metrics.ts';
import { startTraces } from '../process/traces/start-traces.ts';
import { noTraces } from '../process/traces/traces.ts';
import { runWorker } from './run-worker.ts';
import { installRuntime } from './install-runtime.ts';
import { createWorkerShares } from './worker-shares.ts';
import { watchPumps } from './watch-pumps.ts';
import { watchTemporal } from './watch-temporal.ts';

/**
 * The pump settles in batches, so that a few connections keep PostgreSQL busy, and a statement that waits here is cheaper
 * than one that waits there.
 */
const PUMP_CONNECTIONS = 10;
/** One claims, one claims of debounced destinations, and one is there while another is replaced. */
const CLAIM_CONNECTIONS = 3;
/** Renewals and acquisitions. */
const LEASE_CONNECTIONS = 2;
/** Apart from the pump's, so that waits for locks are measured while its statements wait for them. */
const STATE_CONNECTIONS = 1;
const STATE_TIMEOUT_MS = 2_500;
/** Half the time from the first refresh if that is less. */
const CREDENTIAL_ENDS_MS = 3 * 86_400_000;
/** The platform fetches an image before it responds. */
const MEDIA_CALL_TIMEOUT_MS = 30_000;

const config = loadConfig({ reader: 'worker', required: ['databaseUrl', 'encryptionKeys', 'platformAppSecrets'] });
const log = createLog({ name: 'worker', level: config.logLevel });
const traces = await startTraces({ process: 'worker', config, log });
const url = config.databaseUrl;

const sdkMetrics = await installRuntime({ hasMetrics: config.workerMetricsPort !== 0, log });
const stopping = new AbortController();
onStopSignal(log, () => stopping.abort());

const db = connectDatabase({ url, applicationName: 'service-worker', poolSize: config.databasePoolSize });
const secretBox = createSecretBox(config.encryptionKeys);
const installation = await exitOnFailure(log, openInstallation(db, { log, secretBox }));
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
const statePool = createHotPool({
  url,
  applicationName: 'service-state',
  connections: STATE_CONNECTIONS,
  statementTimeoutMs: STATE_TIMEOUT_MS,
  onError: (error) => log.warn('connection.lost', { error }),
});
const meter = createWorkerMeter();
const shares = createWorkerShares();
if (traces !== noTraces) addTraceMetrics(meter.register, traces.counts);
const standing: { isStarted: boolean; fleet?: PumpFleet } = { isStarted: false };
const endsWithinMs = Math.min(CREDENTIAL_ENDS_MS, (config.credentialRefreshDays * 86_400_000) / 2);
addStateMetrics(meter.register, {
  backlog: () => readBacklog(pool),
  database: () => readDatabaseState(statePool),
  invariants: () => readInvariantCheckState(db),
  shards: () => readShardService(pool),
  upkeep: () => readUpkeepState(db, { endsWithinMs }),
  idleMs: () => standing.fleet?.idleMs(),
});
const { options: connectionOptions, namespace } = temporalConnection();
const temporalWatch = watchTemporal({ namespace, installationId: installation.publicId });
addTemporalMetrics(meter.register, { ...sdkMetrics, ...temporalWatch });
const pumpWatch = watchPumps({
  fleet: () => standing.fleet,
  isDatabaseReachable: () => answersNewConnection(url),
  log,
});
meter.pump.watch(pumpWatch.turn);
addPoolMetrics(meter.register, {
  db,
  pools: () => ({
    upkeep: poolOf(shares.upkeep),
    media: poolOf(shares.media),
    receivers: poolOf(shares.receivers),
  }),
});
addCertificateMetrics(meter.register, () =>
  readCertificateEnds({ databaseUrl: url, temporalTls: connectionOptions.tls }),
);
const metrics = await startMetricsIfEnabled({
  port: config.workerMetricsPort,
  host: config.metricsHost,
  register: meter.register,
  health: {
    isAlive: pumpWatch.isAlive,
    isReady: () => standing.isStarted && !stopping.signal.aborted && standing.fleet?.isServing() !== false,
    temporalState: temporalWatch.namespaceState,
  },
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
const platformOperations = createPlatformOperations({
  apiUrl: config.platformApiUrl,
  clientId: config.platformClientId,
  appSecret: config.platformAppSecrets[0],
});
const platformMedia = createPlatformMedia({
  apiUrl: config.platformApiUrl,
  appSecret: config.platformAppSecrets[0],
  timeoutMs: MEDIA_CALL_TIMEOUT_MS,
});
const outbound = traceOutboundCalls(createOutboundLog({ db, log }), traces);
const platformCredentials = createPlatformCredentials({
  apiUrl: config.platformApiUrl,
  version: config.platformApiVersion,
  clientId: config.platformClientId,
  appSecret: config.platformAppSecrets[0],
});
const platformHealth = createPlatformHealth({
  apiUrl: config.platformApiUrl,
  clientId: config.platformClientId,
  appSecret: config.platformAppSecrets[0],
  scopes: {
    chatapp: config.platformScopesChatapp,
    photoapp: config.platformScopesPhotoapp,
    pageapp: config.platformScopesPageapp,
  },
  pageFields: config.platformPageFields,
});
const mailer = config.smtpUrl === undefined ? null : createMailer({ url: config.smtpUrl, from: config.mailFrom });
if (!mailer) log.warn('mail.unconfigured', { setting: 'SMTP_URL' }); // codes, invitations and alerts need it

try {
  await runWorker({
    connectionOptions,
    namespace,
    owner: { installationId: installation.publicId, baseUrl: config.baseUrl },
    roles: config.workerRoles,
    versioning: {
      mode: config.workerVersioning,
      deploymentName: config.workerDeploymentName,
      buildId: config.workerBuildId,
    },
    leasePool,
    offers: { host: config.workerOffersHost, port: config.workerOffersPort },
    scheduleMs: config.retryScheduleMs,
    pollScheduleMs: config.pollScheduleMs,
    shutdownGraceMs: config.shutdownGraceSeconds * 1_000,
    parts: {
      db,
      pool,
      claimPool,
      wake,
      egress,
      secretBox,
      bodyBox: createBodyBox({ keys: config.encryptionKeys, encryptsBodies: config.encryptEventBodies }),
      idKey: installation.idKey,
      tokenSalt: installation.tokenSalt,
      signingRing: createSigningRing(config.encryptionKeys),
      mailer,
      platformMedia,
      platformOperations,
      outbound,
      platformCredentials,
      platformHealth,
      health: {
        intervalMs: config.channelHealthHours * 3_600_000,
        callsPerMinute: config.channelHealthCallsPerMinute,
      },
      credentialRefreshMs: config.credentialRefreshDays * 86_400_000,
      alertLimits: { circuitOpenMs: config.alertCircuitMinutes * 60_000, credentialEndsMs: endsWithinMs },
      alertGatherMs: config.alertGatherSeconds * 1_000,
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
      retention: {
        retentionDays: config.retentionDays,
        eventKeyDays: config.eventKeyDays,
        auditDays: config.auditDays,
        usageMonths: config.usageMonths,
      },
      holder: `${hostname()}/${process.pid}/${randomUUID()}`,
      stopping: stopping.signal,
      meter,
      upkeepShares: shares.upkeep,
      mediaShares: shares.media,
      receiverShares: shares.receivers,
      traces,
      log,
    },
    onFleet: (fleet) => void (standing.fleet = fleet),
    onConnected: temporalWatch.connected,
    onStarted: () => void (standing.isStarted = true),
    isStarted: () => standing.isStarted,
    stopping: stopping.signal,
    traces,
    log,
  });
  log.info('worker.stopped');
} catch (error) {
  log.error('worker.failed', failureFields(error));
  process.exitCode = 1;
} finally {
  mailer?.close();
  await outbound.stop();
  await traces.stop();
  await Promise.allSettled([
    metrics?.close(),
    egress.close(),
    platformMedia.close(),
    platformOperations.close(),
    platformCredentials.close(),
    platformHealth.close(),
    wake.close(),
    leasePool.end(),
    claimPool.end(),
    statePool.end(),
    pool.end(),
    db.destroy(),
  ]);
  await log.flush();
  process.exit();
}
