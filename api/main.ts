import { Client, Connection } from '@temporalio/client';
import { createBodyBudget } from '../process/body-budget.ts';
import { describeConfig, loadConfig } from '../process/config.ts';
import { parseCidrs } from '../contract/addresses/classify-address.ts';
import { createBodyBox } from '../db/core/body-box.ts';
import { connectDatabase } from '../db/core/connect-database.ts';
import { createHotPool } from '../db/core/hot-pool.ts';
import { readInstallation } from '../db/core/installation.ts';
import { createOutboundLog } from '../db/operations/outbound-calls.ts';
import { createSecretBox } from '../db/core/secret-box.ts';
import { createSigningRing } from '../db/core/signing-keys.ts';
import { createLog } from '../process/log.ts';
import { createApiMeter } from '../metrics/api-metrics.ts';
import { startMetricsIfEnabled } from '../metrics/server.ts';
import { createPlatformVocabulary } from '../platform/webhooks/envelope-vocabulary.ts';
import { createPlatformOAuth } from '../platform/oauth/oauth.ts';
import { createPlatformOperations } from '../platform/operations/operations.ts';
import { temporalConnection } from '../process/temporal-connection.ts';
import { createLastUsed } from './requests/last-used.ts';
import { createRateLimits } from './requests/rate-limits.ts';
import { createApiServer } from './requests/api-server.ts';
import { createApp } from './app.ts';
import { createPlatformEvents } from './ingest/platform-events.ts';
import { platformWebhookRoutes } from './ingest/routes.ts';
import { createTakeWebhook } from './ingest/take-webhook.ts';
import { webhookListener } from './ingest/webhook-listener.ts';
import { createConnectionSlots } from './requests/connection-slots.ts';
import { readerSlots } from './listeners/listener-waits.ts';
import { refuseForeignNamespace } from '../workflow-starts/require-own-namespace.ts';
import { pendingCallsEndAfterMs } from '../workflow-starts/pending-calls.ts';
import { createWorkflowStarts } from '../workflow-starts/create-workflow-starts.ts';

const config = loadConfig({ required: ['databaseUrl', 'encryptionKeys', 'platformAppSecret', 'platformVerifyToken'] });
const log = createLog({ name: 'api', level: config.logLevel });
log.info('configuration.read', describeConfig(config));

const db = connectDatabase({
  url: config.databaseUrl,
  applicationName: 'service-api',
  poolSize: config.databasePoolSize,
});
const readDb =
  config.databaseReadUrl === undefined
    ? db
    : connectDatabase({
        url: config.databaseReadUrl,
        applicationName: 'service-api-read',
        poolSize: config.databasePoolSize,
        isReadOnly: true,
      });
const { idKey, tokenSalt, publicId: installationId } = await readInstallation(db);

// Lazy, so that the API starts without Temporal. The SDK's interceptors would retry calls whose outcome is unknown.
const temporal = temporalConnection();
const connection = Connection.lazy({ ...temporal.options, interceptors: [] });
const client = new Client({ connection, namespace: temporal.namespace });

const pool = createHotPool({
  url: config.databaseUrl,
  applicationName: 'service-accept',
  connections: 3, // one commit and one notification run at a time; the third covers a lost connection
  onError: (error) => log.warn('connection.lost', { error }),
});
const meter = createApiMeter();
const vocabulary = createPlatformVocabulary({
  chatapp: config.platformObjectsChatapp,
  photoapp: config.platformObjectsPhotoapp,
  pageapp: config.platformObjectsPageapp,
});
const { encryptionKeys, encryptEventBodies: encryptsBodies } = config;
const bodyBox = createBodyBox({ keys: encryptionKeys, encryptsBodies });
const events = createPlatformEvents({ pool, bodyBox, log, meter, vocabulary });
const bodies = createBodyBudget(config.bodyBytesInFlight);
meter.bodies(bodies.bytesInFlight);
const rateLimits = createRateLimits({
  perCredential: config.rateLimitPerMinute,
  perAddress: config.rateLimitPerAddressPerMinute,
  failuresPerAddress: config.failedAuthPerAddressPerMinute,
});
const streams = createConnectionSlots();
meter.streams(() => streams.count());
const waitingReaders = createConnectionSlots(readerSlots);
const lastUsed = createLastUsed({ db, log });

const platformOAuth = createPlatformOAuth({
  oauthUrl: config.platformOAuthUrl,
  apiUrl: config.platformApiUrl,
  apiVersion: config.platformApiVersion,
  clientId: config.platformClientId,
  appSecret: config.platformAppSecret,
  scopes: {
    chatapp: config.platformScopesChatapp,
    photoapp: config.platformScopesPhotoapp,
    pageapp: config.platformScopesPageapp,
  },
});

const platform = createPlatformOperations({
  apiUrl: config.platformApiUrl,
  clientId: config.platformClientId,
  appSecret: config.platformAppSecret,
  chatappWord: config.platformChatappWord,
});
const outbound = createOutboundLog({ db, log });

const { starts, endWaits } = createWorkflowStarts({
  client,
  retryScheduleMs: config.retryScheduleMs,
  pollScheduleMs: config.pollScheduleMs,
  probeDelaysMs: config.circuitProbeDelaysMs,
  meter,
});

const app = createApp({
  db,
  readDb,
  secretBox: createSecretBox(encryptionKeys),
  bodyBox,
  temporal: starts,
  idKey,
  tokenSalt,
  signingRing: createSigningRing(config.encryptionKeys),
  emailCodes: {
    windowMs: config.emailCodeWindowSeconds * 1_000,
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
  maxUploadBytes: config.mediaUploadMaxBytes,
  temporalUiUrl: config.temporalUiUrl,
  temporalNamespace: temporal.namespace,
  log,
  deployment: config.deployment,
  allowCidrs: parseCidrs(config.egressAllowCidrs.join(',')),
  now: () => performance.now(),
  bodies,
  rateLimits,
  lastUsed,
  meter,
  streams,
  waitingReaders,
  trustProxy: config.trustProxy,
  ingest: platformWebhookRoutes({
    events,
    appSecret: config.platformAppSecret,
    verifyToken: config.platformVerifyToken,
    baseUrl: config.baseUrl,
    bodies,
    rateLimits,
    meter,
  }),
});

const listener = webhookListener({
  take: createTakeWebhook({ events, appSecret: config.platformAppSecret, bodies }),
  others: app.callback(),
  trustProxy: config.trustProxy,
  meter,
});
const server = createApiServer({ listener, log });
server.listen(config.apiPort, config.apiHost, () => log.info('api.started', { address: server.address() }));

const { apiMetricsPort: metricsPort, metricsHost } = config;
const metrics = await startMetricsIfEnabled({ port: metricsPort, host: metricsHost, register: meter.register, log });

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));

// Events must be accepted meanwhile, also while Temporal is unreachable.
refuseForeignNamespace(client, { installationId, baseUrl: config.baseUrl }).catch((error: unknown) => {
  log.error('api.failed', { error });
  process.exitCode = 1;
  void stop('namespace');
});

/**
 * Finishes running requests. Those that wait for a workflow are answered before the deadline; the rest are cut off.
 */
async function stop(signal: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info('stop.requested', { signal });
  streams.close();
  waitingReaders.close();
  const graceMs = config.shutdownGraceSeconds * 1000;
  const waited = setTimeout(endWaits, pendingCallsEndAfterMs(graceMs));
  const overdue = setTimeout(() => server.closeAllConnections(), graceMs);
  // Responses sent from here on leave keep-alive connections that would delay the stop.
  const closingIdle = setInterval(() => server.closeIdleConnections(), 100);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearInterval(closingIdle);
  clearTimeout(waited);
  clearTimeout(overdue);
  await Promise.all([events.idle(), lastUsed.stop(), outbound.stop()]);
  await Promise.allSettled([
    metrics?.close(),
    connection.close(),
    platformOAuth.close(),
    platform.close(),
    pool.end(),
    ...[...new Set([db, readDb])].map((each) => each.destroy()),
  ]);
  log.info('api.stopped');
  await log.flush();
  process.exit();
}
