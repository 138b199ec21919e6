import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { createBodyBudget } from '../process/body-budget.ts';
import { describeConfig, loadConfig } from '../process/config.ts';
import { parseCidrs } from '../contract/addresses/classify-address.ts';
import { createBodyBox } from '../db/core/body-box.ts';
import { connectDatabase } from '../db/core/connect-database.ts';
import { takeTurns } from '../db/core/connection-turns.ts';
import { createHotPool } from '../db/core/hot-pool.ts';
import { readShardService } from '../db/ledger/shards/fleet.ts';
import { readInstallationStatus } from '../db/upkeep/installation-status.ts';
import { watchWorkers } from '../db/upkeep/workers-state.ts';
import { openInstallation } from '../db/upkeep/open-installation.ts';
import {
  exitIfOverdue,
  exitOnFailure,
  failureFields,
  listen,
  onStopSignal,
  stopTimes,
} from '../process/stop-signals.ts';
import { createOutboundLog, traceOutboundCalls } from '../db/operations/outbound-calls.ts';
import { createSecretBox } from '../db/core/secret-box.ts';
import { createSigningRing } from '../db/core/signing-keys.ts';
import { readCertificateEnds } from '../process/certificates.ts';
import { createLog } from '../process/log.ts';
import { createApiMeter } from '../metrics/api-metrics.ts';
import { addCertificateMetrics } from '../metrics/certificate-metrics.ts';
import { addPoolMetrics, poolOf, poolOfTurns } from '../metrics/pool-metrics.ts';
import { startMetricsIfEnabled } from '../metrics/server.ts';
import { createPlatformOAuth } from '../platform/oauth/oauth.ts';
import { createPlatformOperations } from '../platform/operations/operations.ts';
import { temporalConnection } from '../process/temporal-connection.ts';
import { addTraceMetrics } from '../metrics/trace-metrics.ts';
import { startTraces } from '../process/traces/start-traces.ts';
import { noTraces } from '../process/traces/traces.ts';
import { createLastUsed } from './requests/last-used.ts';
import { requestTenant } from './requests/request-tenant.ts';
import { createRateLimits } from './requests/rate-limits.ts';
import { createApiServer } from './requests/api-server.ts';
import { createApp } from './app.ts';
import { startKeptEvents } from './ingest/kept-events.ts';
import { createOfferDeliveries } from './ingest/offer-deliveries.ts';
import { createPlatformEvents } from './ingest/platform-events.ts';
import { createDirectCalls } from './requests/direct-calls.ts';
import { createSlowReads, SLOW_READ_TIMEOUT_MS } from './requests/slow-reads.ts';
import { createApiShares } from './requests/api-shares.ts';
import { watchNamespace } from '../workflow-starts/namespace-state.ts';
import { refuseForeignNamespace } from '../workflow-starts/require-own-namespace.ts';
import { createOrganizationOf } from '../db/organizations/organization-of.ts';
import { readTaskQueues } from '../workflow-starts/task-queue-status.ts';
import { createWorkflowStarts } from '../workflow-starts/workflow-starts.ts';

/** Of the connection that reads the state of the installation. */
const STATE_TIMEOUT_MS = 2_500;

const config = loadConfig({
  reader: 'api',
  required: ['databaseUrl', 'encryptionKeys', 'platformAppSecrets', 'platformVerifyToken'],
});
const log = createLog({ name: 'api', level: config.logLevel });
log.info('configuration.read', describeConfig(config));
const traces = await startTraces({ process: 'api', config, log });

const db = connectDatabase({
  url: config.databaseUrl,
  applicationName: 'service-api',
  poolSize: config.databasePoolSize,
});
// Slow reads must not take the connections that authenticate and write.
const readDb = connectDatabase({
  url: config.databaseReadUrl ?? config.databaseUrl,
  applicationName: 'service-api-read',
  poolSize: config.databasePoolSize,
  isReadOnly: config.databaseReadUrl !== undefined,
  statementTimeoutMs: SLOW_READ_TIMEOUT_MS,
});
const turnOptions = { capacity: config.databasePoolSize, tenant: requestTenant };
const databaseTurns = takeTurns(db, turnOptions);
const readTurns = takeTurns(readDb, turnOptions);
const secretBox = createSecretBox(config.encryptionKeys);
const opened = await exitOnFailure(log, openInstallation(db, { log, secretBox }));
const { idKey, tokenSalt, publicId: installationId } = opened;

// Lazy, so that the API starts without Temporal. The SDK's interceptors would retry calls whose outcome is unknown.
const temporal = temporalConnection();
const connection = Connection.lazy({ ...temporal.options, interceptors: [] });
const traced = traces.temporal ? { interceptors: { workflow: [traces.temporal.clientInterceptor] } } : {};
const client = new Client({ connection, namespace: temporal.namespace, ...traced });

const pool = createHotPool({
  url: config.databaseUrl,
  applicationName: 'service-accept',
  connections: 3, // one commit and one notification run at a time; the third covers a lost connection
  onError: (error) => log.warn('connection.lost', { error }),
});
const statePool = createHotPool({
  url: config.databaseUrl,
  applicationName: 'service-state',
  connections: 1,
  connectWithinMs: 6 * STATE_TIMEOUT_MS, // a reading of the backlog has six statements
  statementTimeoutMs: STATE_TIMEOUT_MS,
  onError: (error) => log.warn('connection.lost', { error }),
});
const meter = createApiMeter();
if (traces !== noTraces) addTraceMetrics(meter.register, traces.counts);
const { encryptionKeys, encryptEventBodies: encryptsBodies } = config;
const bodyBox = createBodyBox({ keys: encryptionKeys, encryptsBodies });
const bodies = createBodyBudget(config.bodyBytesInFlight);
meter.bodies(bodies.bytesInFlight);
const rateLimits = createRateLimits({
  perCredential: config.rateLimitPerMinute,
  perAddress: config.rateLimitPerAddressPerMinute,
  failuresPerAddress: config.failedAuthPerAddressPerMinute,
});
const shares = createApiShares();
meter.streams(() => shares.streams.count());
const directCalls = createDirectCalls();
const lastUsed = createLastUsed({ db, log });

const platformOAuth = createPlatformOAuth({
  oauthUrl: config.platformOAuthUrl,
  apiUrl: config.platformApiUrl,
  apiVersion: config.platformApiVersion,
  clientId: config.platformClientId,
  appSecret: config.platformAppSecrets[0],
  scopes: {
    chatapp: config.platformScopesChatapp,
    photoapp: config.platformScopesPhotoapp,
    pageapp: config.platformScopesPageapp,
  },
  pageFields: config.platformPageFields,
});

const platform = createPlatformOperations({
  apiUrl: config.platformApiUrl,
  clientId: config.platformClientId,
  appSecret: config.platformAppSecrets[0],
});
const outbound = traceOutboundCalls(createOutboundLog({ db, log }), traces);

const { starts, endWaits } = createWorkflowStarts({
  client,
  retryScheduleMs: config.retryScheduleMs,
  pollScheduleMs: config.pollScheduleMs,
  probeDelaysMs: config.circuitProbeDelaysMs,
  organizationOf: createOrganizationOf(db),
  asksFirst: true,
  meter,
});
const signingRing = createSigningRing(config.encryptionKeys);
const offers = createOfferDeliveries({ pool, signingRing, log });
const events = createPlatformEvents({
  pool,
  offer: offers.offer,
  bodyBox,
  log,
  meter,
  traces,
  checks: { starts: starts, shares },
});

const listener = createApp({
  db,
  readDb,
  secretBox,
  bodyBox,
  starts: starts,
  idKey,
  tokenSalt,
  signingRing,
  emailCodes: {
    perAddressHourly: config.emailCodesPerAddress,
    perClientHourly: config.emailCodesPerClient,
    wrongHourly: config.emailCodesWrongPerHour,
  },
  invitationsPerDay: config.invitationsPerDay,
  baseUrl: config.baseUrl,
  gatewayUrl: config.gatewayUrl,
  platformOAuth,
  platform,
  outbound,
  acceptEvents: (body) => events.accept(body),
  maxUploadBytes: config.mediaUploadMaxBytes,
  temporalUiUrl: config.temporalUiUrl,
  temporalNamespace: temporal.namespace,
  traceUrlTemplate: config.traceUrlTemplate,
  traces,
  log,
  deployment: config.deployment,
  allowCidrs: parseCidrs(config.egressAllowCidrs.join(',')),
  now: () => performance.now(),
  bodies,
  rateLimits,
  lastUsed,
  meter,
  shares,
  slowReads: createSlowReads({ shares: shares.slowReads, connections: config.databasePoolSize }),
  directCalls,
  namespaceState: watchNamespace({ client, own: { installationId } }),
  workersState: watchWorkers({ read: () => readShardService(statePool) }),
  installationStatus: () => readInstallationStatus(statePool),
  taskQueues: () => readTaskQueues(client),
  isStopping: () => isStopping,
  trustProxy: config.trustProxy,
  ingest: { events, appSecrets: config.platformAppSecrets, verifyToken: config.platformVerifyToken },
});
let isStopping = false;
const server = createApiServer({ listener, log });
const keptEvents = startKeptEvents({ db, bodyBox, log, accept: (body) => events.accept(body) });
await exitOnFailure(log, listen(server, { port: config.apiPort, host: config.apiHost, setting: 'API_PORT' }));
log.info('api.started', { address: server.address() });

addPoolMetrics(meter.register, {
  db,
  pools: () => ({
    ...Object.fromEntries(Object.entries(shares).map(([name, each]) => [name, poolOf(each)])),
    bodies: poolOf(bodies.shares),
    database: poolOfTurns(databaseTurns()),
    databaseReads: poolOfTurns(readTurns()),
  }),
});
addCertificateMetrics(meter.register, () =>
  readCertificateEnds({ databaseUrl: config.databaseUrl, temporalTls: temporal.options.tls }),
);
const { apiMetricsPort: metricsPort, metricsHost } = config;
const metrics = await startMetricsIfEnabled({ port: metricsPort, host: metricsHost, register: meter.register, log });

onStopSignal(log, () => void stop());

// Events must be accepted meanwhile, also while Temporal is unreachable.
refuseForeignNamespace(client, { installationId, baseUrl: config.baseUrl }).catch((error: unknown) => {
  log.error('api.failed', failureFields(error));
  process.exitCode = 1;
  void stop();
});

/** ADR 34 explains the order. */
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  const delayMs = config.shutdownDelaySeconds * 1000;
  const graceMs = config.shutdownGraceSeconds * 1000;
  exitIfOverdue(log, { delayMs, graceMs });
  await sleep(delayMs);
  const keptEventsStopped = keptEvents.stop();
  for (const lasting of [shares.streams, shares.waitingReaders, shares.personExports]) lasting.close();
  const callsEndAtMs = performance.now() + stopTimes(graceMs).lastAnswersMs;
  await server.stop({
    graceMs,
    onAnswersDue: () => {
      endWaits();
      directCalls.end();
    },
  });
  // Calls without a client may still learn their outcome.
  await Promise.race([directCalls.idle(), sleep(callsEndAtMs - performance.now(), undefined, { ref: false })]);
  await Promise.allSettled([platformOAuth.close(), platform.close()]);
  await directCalls.idle();
  await keptEventsStopped;
  await Promise.all([events.idle(), lastUsed.stop(), outbound.stop()]);
  offers.close();
  await traces.stop();
  await Promise.allSettled([
    metrics?.close(),
    connection.close(),
    pool.end(),
    statePool.end(),
    ...[db, readDb].map((each) => each.destroy()),
  ]);
  log.info('api.stopped');
  await log.flush();
  process.exit();
}
