import { createBodyBudget } from '../process/body-budget.ts';
import { describeConfig, loadConfig } from '../process/config.ts';
import { connectDatabase } from '../db/core/connect-database.ts';
import { createHotPool } from '../db/core/hot-pool.ts';
import { openInstallation } from '../db/upkeep/open-installation.ts';
import { exitOnFailure, exitIfOverdue, onStopSignal } from '../process/stop-signals.ts';
import { createOutboundLog, traceOutboundCalls } from '../db/operations/outbound-calls.ts';
import { createSecretBox } from '../db/core/secret-box.ts';
import { readCertificateEnds } from '../process/certificates.ts';
import { createLog } from '../process/log.ts';
import { addTraceMetrics } from '../metrics/trace-metrics.ts';
import { startTraces } from '../process/traces/start-traces.ts';
import { noTraces } from '../process/traces/traces.ts';
import { createGatewayMeter } from '../metrics/gateway-metrics.ts';
import { addCertificateMetrics } from '../metrics/certificate-metrics.ts';
import { addPoolMetrics, poolOf } from '../metrics/pool-metrics.ts';
import { startMetricsIfEnabled } from '../metrics/server.ts';
import { createChannelDirectory } from './access/channel-directory.ts';
import { startGateway } from './start-gateway.ts';

/** A lookup takes well under a millisecond. */
const TOKEN_CONNECTIONS = 4;

const config = loadConfig({ reader: 'gateway', required: ['databaseUrl', 'encryptionKeys', 'platformAppSecrets'] });
const log = createLog({ name: 'gateway', level: config.logLevel });
log.info('configuration.read', describeConfig(config));
const traces = await startTraces({ process: 'gateway', config, log });

const db = connectDatabase({
  url: config.databaseUrl,
  applicationName: 'service-gateway',
  poolSize: config.databasePoolSize,
});
const pool = createHotPool({
  url: config.databaseUrl,
  applicationName: 'service-gateway-tokens',
  connections: TOKEN_CONNECTIONS,
  onError: (error) => log.warn('connection.lost', { error }),
});
const secretBox = createSecretBox(config.encryptionKeys);
const { tokenSalt } = await exitOnFailure(log, openInstallation(db, { log, secretBox }));
const outbound = traceOutboundCalls(createOutboundLog({ db, log }), traces);
const meter = createGatewayMeter();
if (traces !== noTraces) addTraceMetrics(meter.register, traces.counts);
const bodies = createBodyBudget(config.bodyBytesInFlight);
meter.bodies(bodies.bytesInFlight);
addCertificateMetrics(meter.register, () => readCertificateEnds({ databaseUrl: config.databaseUrl }));
const { gatewayMetricsPort: metricsPort, metricsHost } = config;
const metrics = await startMetricsIfEnabled({ port: metricsPort, host: metricsHost, register: meter.register, log });

const starting = startGateway({
  port: config.gatewayPort,
  host: config.gatewayHost,
  gatewayUrl: config.gatewayUrl,
  baseUrl: config.baseUrl,
  channels: createChannelDirectory({ db, pool, secretBox, tokenSalt }),
  outbound,
  secretBox,
  apiUrl: config.platformApiUrl,
  appSecret: config.platformAppSecrets[0],
  log,
  trustProxy: config.trustProxy,
  traces,
  meter,
  bodies,
  limits: {
    callsPerMinute: config.gatewayRatePerMinute,
    failuresPerMinute: config.failedAuthPerAddressPerMinute,
  },
});
const gateway = await exitOnFailure(log, starting);
addPoolMetrics(meter.register, {
  db,
  pools: () => ({ calls: poolOf(gateway.callShares), bodies: poolOf(bodies.shares) }),
});
log.info('gateway.started', { url: gateway.url });

onStopSignal(log, () => void stop());

/** ADR 34 explains the order. */
async function stop(): Promise<void> {
  const times = { delayMs: config.shutdownDelaySeconds * 1000, graceMs: config.shutdownGraceSeconds * 1000 };
  exitIfOverdue(log, times);
  await gateway.stop(times);
  await outbound.stop();
  await traces.stop();
  await Promise.allSettled([metrics?.close(), pool.end(), db.destroy()]);
  log.info('gateway.stopped');
  await log.flush();
  process.exit(0);
}
