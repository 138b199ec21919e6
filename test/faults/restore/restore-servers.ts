import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../dev/processes/ports.ts';
import type { StopList } from '../../../dev/processes/stop-list.ts';
import { findTemporal } from '../../../dev/temporal/temporal-binary.ts';
import { startTemporal } from '../../../dev/temporal/temporal-server.ts';
import { type ArchivedPostgres, createArchivedPostgres } from '../../harness/backups/archived-postgres.ts';
import { KillableServer } from '../killable-server.ts';

/** The default. The last segment is then usually not in the archive when the processes are killed. */
export const ARCHIVE_TIMEOUT_SECONDS = 60;

export interface RestorableServers {
  readonly archive: ArchivedPostgres;
  readonly postgres: KillableServer;
  /** Starts a server with an empty file of its own. Returns its address. */
  startEmptyTemporal(): Promise<string>;
}

const quiet = (): void => undefined;

export async function startRestorableServers(stops: StopList): Promise<RestorableServers> {
  const env = { POSTGRES_ARCHIVE_TIMEOUT: `${ARCHIVE_TIMEOUT_SECONDS}s`, POSTGRES_MEMORY: '512MB' };
  const archive = await createArchivedPostgres({ env }, stops);
  const postgres = new KillableServer({ name: 'PostgreSQL', launch: (onPid) => archive.start(onPid) }, stops);
  await postgres.start();
  return { archive, postgres, startEmptyTemporal: () => startEmptyTemporal(stops) };
}

async function startEmptyTemporal(stops: StopList): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'restore-temporal-'));
  stops.add({ name: 'folder of Temporal', stop: () => rm(folder, { recursive: true, force: true }) });
  const [binary, port] = [await findTemporal({ onProgress: quiet }), await freePort()];
  const server = { binary, port, databaseFile: join(folder, 'temporal.db'), uiPort: null };
  const launch = (onPid: (pid: number | undefined) => void) =>
    startTemporal({ ...server, onProgress: quiet, log: quiet, onPid });
  await new KillableServer({ name: 'Temporal', launch }, stops).start();
  return `127.0.0.1:${port}`;
}
