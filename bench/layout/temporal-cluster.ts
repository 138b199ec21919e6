import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { freePort } from '../../dev/processes/ports.ts';
import { startProcess } from '../../dev/processes/processes.ts';
import { runOnce } from '../../dev/processes/run-once.ts';
import type { StartTemporalFor } from '../system/servers.ts';
import { findTemporalBinaries, type TemporalBinaries } from './temporal-binaries.ts';

const execFileResult = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** The value in deploy/compose.yaml. */
const HISTORY_SHARDS = 512;
const NAMESPACE = 'default';
const RETENTION = '7 days';
/** Each of the server's four roles has separate pools. */
const CONNECTIONS_PER_ROLE = 10;
const START_DEADLINE_MS = 90_000;
const STOP_DEADLINE_MS = 15_000;
const CALL_TIMEOUT_MS = 5_000;
const ALREADY_EXISTS = 6;

/** Stores the state in PostgreSQL on the service's database server, as in production. */
export async function startTemporalCluster({ databaseUrl, say, onPid }: StartTemporalFor) {
  const binaries = await findTemporalBinaries(say);
  const database = new URL(databaseUrl);
  await createSchema({ binaries, database });
  const { env, address } = await serverSettings(database);
  const running = await startProcess(
    {
      name: 'temporal',
      command: binaries.server,
      args: ['start'],
      env,
      stopDeadlineMs: STOP_DEADLINE_MS,
      startDeadlineMs: START_DEADLINE_MS,
      isReady: () => hasNamespace(address),
    },
    { onLine: () => undefined, onPid, onNotice: (text) => say(`Temporal ${text}`) },
  );
  await registerSearchAttributes({ databaseUrl, address, say });
  return { address, stop: () => running.stop() };
}

async function createSchema({ binaries, database }: { binaries: TemporalBinaries; database: URL }): Promise<void> {
  const env = {
    SQL_PLUGIN: 'postgres12',
    SQL_HOST: database.hostname,
    SQL_PORT: database.port,
    SQL_USER: database.username,
    SQL_PASSWORD: database.password,
  };
  for (const [name, schema] of [
    ['temporal', 'postgresql/v12/temporal'],
    ['temporal_visibility', 'postgresql/v12/visibility'],
  ] as const) {
    for (const command of [['create'], ['setup-schema', '-v', '0.0'], ['update-schema', '--schema-name', schema]]) {
      await execFileResult(binaries.sqlTool, ['--db', name, ...command], { env });
    }
  }
}

async function serverSettings(database: URL) {
  const grpcPort = await freePort();
  const env: NodeJS.ProcessEnv = {
    DB: 'postgres12',
    POSTGRES_SEEDS: database.hostname,
    DB_PORT: database.port,
    POSTGRES_USER: database.username,
    POSTGRES_PWD: database.password,
    SQL_MAX_CONNS: String(CONNECTIONS_PER_ROLE),
    SQL_VIS_MAX_CONNS: String(CONNECTIONS_PER_ROLE / 2),
    NUM_HISTORY_SHARDS: String(HISTORY_SHARDS),
    BIND_ON_IP: '127.0.0.1',
    LOG_LEVEL: 'error',
    DYNAMIC_CONFIG_FILE_PATH: join(root, 'deploy/compose/temporal-dynamic-config.yaml'),
    FRONTEND_GRPC_PORT: String(grpcPort),
    FRONTEND_HTTP_PORT: String(await freePort()),
  };
  for (const role of ['FRONTEND', 'MATCHING', 'HISTORY', 'WORKER']) {
    env[`${role}_GRPC_PORT`] ??= String(await freePort());
    env[`${role}_MEMBERSHIP_PORT`] = String(await freePort());
  }
  return { env, address: `127.0.0.1:${grpcPort}` };
}

async function hasNamespace(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: CALL_TIMEOUT_MS });
    try {
      await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
        connection.workflowService.registerNamespace({
          namespace: NAMESPACE,
          workflowExecutionRetentionPeriod: msToTs(RETENTION),
        }),
      );
      return true;
    } finally {
      await connection.close();
    }
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === ALREADY_EXISTS;
  }
}

interface Register {
  readonly databaseUrl: string;
  readonly address: string;
  readonly say: (text: string) => void;
}

async function registerSearchAttributes({ databaseUrl, address, say }: Register): Promise<void> {
  await runOnce({
    name: 'register-search-attributes',
    args: [join(root, 'admin/main.ts'), 'register-search-attributes'],
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: address },
    onLine: say,
  });
}
