import { Client, Connection } from '@temporalio/client';
import { readInstallation } from '../../db/core/installation.ts';
import { createHotPool } from '../../db/core/hot-pool.ts';
import { readInstallationStatus } from '../../db/upkeep/installation-status.ts';
import { temporalConnection } from '../../process/temporal-connection.ts';
import { watchNamespace } from '../../workflow-starts/namespace-state.ts';
import { readTaskQueues } from '../../workflow-starts/task-queue-status.ts';
import type { AdminDeps } from './deps.ts';
import { readFlags, readOptions, UsageError } from './options.ts';
import { type StatusReport, statusText } from './status-text.ts';

const CONNECTIONS = 4;
/** Statements wait for each other. */
const CONNECT_WITHIN_MS = 30_000;

/** Reads what `GET /staff/status` answers, also while no API runs. */
export async function readStatus(deps: AdminDeps, args: readonly string[]): Promise<object | string> {
  const { flags, rest } = readFlags(args, ['json']);
  readOptions(rest, { needed: [] });
  const report = await readReport(deps);
  return flags.json ? report : statusText(report);
}

async function readReport({ db, config }: AdminDeps): Promise<StatusReport> {
  const { databaseUrl: url } = config;
  if (url === undefined) throw new UsageError('DATABASE_URL is not set.');
  const { publicId } = await readInstallation(db);
  const pool = createHotPool({
    url,
    applicationName: 'service-admin',
    connections: CONNECTIONS,
    connectWithinMs: CONNECT_WITHIN_MS,
    onError: () => undefined, // the statement fails, too
  });
  try {
    const [status, temporal] = await Promise.all([readInstallationStatus(pool), readTemporal(publicId)]);
    return { readAt: new Date(), ...status, temporal };
  } finally {
    await pool.end();
  }
}

async function readTemporal(installationId: string): Promise<StatusReport['temporal']> {
  const { options, namespace } = temporalConnection();
  // Without the SDK's retries, which would outlast the connection.
  const connection = Connection.lazy({ ...options, interceptors: [] });
  const client = new Client({ connection, namespace });
  try {
    const [state, taskQueues = null] = await Promise.all([
      watchNamespace({ client, own: { installationId } })(),
      readTaskQueues(client),
    ]);
    return { state, taskQueues };
  } finally {
    await connection.close();
  }
}
