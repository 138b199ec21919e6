import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connectDatabase } from '../../db/core/connect-database.ts';
import { migrate } from '../../db/migrate.ts';
import { freePort } from '../../dev/processes/ports.ts';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { aTenant } from '../harness/tenants.ts';
import { CapturedLog } from '../harness/system/captured-log.ts';
import { ALLOWED_ADDRESS, type FaultyReceivers, startReceivers } from './receivers/destinations.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { SupervisedProcess } from './supervised-process.ts';
import { type Servers, startServers, type ServersOptions } from './servers.ts';
import { processEnv } from '../harness/system/process-env.ts';

export interface Stage extends Servers {
  /** The first one reaches its servers by `paths`. */
  readonly workers: readonly SupervisedProcess[];
  readonly paths: { readonly database: TcpProxy; readonly temporal: TcpProxy };
  readonly api: SupervisedProcess;
  readonly receivers: FaultyReceivers;
  readonly webhookUrl: string;
  readonly platformSecret: string;
  readonly log: CapturedLog;
}

export interface StageOptions extends ServersOptions {
  readonly seed: number;
  readonly env: Readonly<Record<string, string>>;
  readonly sentAtMs: (id: string) => number | undefined;
}

export async function startStage(options: StageOptions, stops: StopList): Promise<Stage> {
  const servers = await startServers(options, stops);
  const { seed, sentAtMs } = options;
  const db = connectDatabase({ url: servers.databaseUrl, applicationName: 'faults' });
  stops.add({ name: 'database', stop: () => db.destroy() });
  await migrate(db);
  const receivers = await startReceivers({ db, tenant: await aTenant(db), seed, sentAtMs }, stops);
  await db.destroy(); // The run kills the server.
  const platformSecret = randomBytes(16).toString('hex');
  const apiPort = await freePort();
  const baseUrl = `http://127.0.0.1:${apiPort}`;
  const env = processEnv({
    DATABASE_URL: servers.databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    EGRESS_ALLOW_CIDRS: `${ALLOWED_ADDRESS}/32`,
    PLATFORM_APP_SECRET: platformSecret,
    API_PORT: String(apiPort),
    BASE_URL: baseUrl,
    ...options.env,
  });
  const log = new CapturedLog();
  const paths = await startPaths(servers, stops);
  const kept = ({ kind, number = 1, more }: Kept): SupervisedProcess =>
    new SupervisedProcess({ kind, number, env: { ...env, ...more }, onLine: (line) => log.add(line) }, stops);
  const dns = ownDns(receivers.dns.port);
  const workers = [
    kept({ kind: 'worker', more: { ...dns, ...throughPaths(servers, paths) } }),
    kept({ kind: 'worker', number: 2, more: dns }),
  ];
  const api = kept({ kind: 'api', more: preload });
  await api.start();
  // In turn, so that the first one, which is parted from its servers, has shards to lose.
  for (const worker of workers) await worker.start();
  return {
    ...servers,
    workers,
    paths,
    api,
    receivers,
    platformSecret,
    webhookUrl: `${baseUrl}/platform/webhooks`,
    log,
  };
}

interface Kept {
  readonly kind: 'worker' | 'api';
  readonly number?: number;
  readonly more: Readonly<Record<string, string>>;
}

async function startPaths({ databaseUrl, temporalAddress }: Servers, stops: StopList) {
  const portOf = (address: string): number => Number(new URL(address).port);
  return {
    database: await startTcpProxy({ name: 'path to the database', port: portOf(databaseUrl) }, stops),
    temporal: await startTcpProxy({ name: 'path to Temporal', port: portOf(`tcp://${temporalAddress}`) }, stops),
  };
}

function throughPaths({ databaseUrl }: Servers, { database, temporal }: Stage['paths']): Record<string, string> {
  const url = new URL(databaseUrl);
  url.port = String(database.port);
  return { DATABASE_URL: url.href, TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}` };
}

const preload = { NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'own-dns.ts')).href}` };

function ownDns(port: number): Record<string, string> {
  return { ...preload, FAULTS_DNS_PORT: String(port) };
}
