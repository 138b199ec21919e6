import { createBodyBudget } from '../process/body-budget.ts';
import { describeConfig, loadConfig } from '../process/config.ts';
import { connectDatabase } from '../db/core/connect-database.ts';
import { createHotPool } from '../db/core/hot-pool.ts';
import { readInstallation } from '../db/core/installation.ts';
import { createOutboundLog } from '../db/operations/outbound-calls.ts';
import { createSecretBox } from '../db/core/secret-box.ts';
import { createLog } from '../process/log.ts';
import { createGatewayMeter } from '../metrics/gateway-metrics.ts';
import { startMetricsIfEnabled } from '../metrics/server.ts';
import { createChannelDirectory } from './access/channel-directory.ts';
import { startGateway } from './start-gateway.ts';

/** A lookup takes well under a millisecond. */
const TOKEN_CONNECTIONS = 4;

const config = loadConfig({ required: ['databaseUrl', 'encryptionKeys', 'platformAppSecret'] });
const log = createLog({ name: 'gateway', level: config.logLevel });
log.info('configuration.read', describeConfig(config));

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
const { tokenSalt } = await readInstallation(db);
const secretBox = createSecretBox(config.encryptionKeys);
const outbound = createOutboundLog({ db, log });
const meter = createGatewayMeter();
const bodies = createBodyBudget(config.bodyBytesInFlight);
meter.bodies(bodies.bytesInFlight);
const { gatewayMetricsPort: metricsPort, metricsHost } = config;
const metrics = await startMetricsIfEnabled({ port: metricsPort, host: metricsHost, register: meter.register, log });

const gateway = await startGateway({
  port: config.gatewayPort,
  host: config.gatewayHost,
  gatewayUrl: config.gatewayUrl,
  baseUrl: config.baseUrl,
  channels: createChannelDirectory({ db, pool, secretBox, tokenSalt }),
  outbound,
  secretBox,
  apiUrl: config.platformApiUrl,
  appSecret: config.platformAppSecret,
  chatappWord: config.platformChatappWord,
  log,
  trustProxy: config.trustProxy,
  meter,
  bodies,
  limits: {
    callsPerMinute: config.gatewayRatePerMinute,
    failuresPerMinute: config.failedAuthPerAddressPerMinute,
  },
});
log.info('gateway.started', { url: gateway.url });

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));

async function stop(signal: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info('stop.requested', { signal });
  await gateway.stop({ graceMs: config.shutdownGraceSeconds * 1000 });
  await outbound.stop();
  await Promise.allSettled([metrics?.close(), pool.end(), db.destroy()]);
  log.info('gateway.stopped');
  await log.flush();
  process.exit(0);
}
