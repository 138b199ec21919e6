import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StopList } from '../../../dev/processes/stop-list.ts';
import { type ArchivedPostgres, createArchivedPostgres } from '../../harness/backups/archived-postgres.ts';
import { KillableServer } from '../killable-server.ts';
import { ownTemporal } from '../servers.ts';

/** The default. The last segment is then usually not in the archive when the processes are killed. */
export const ARCHIVE_TIMEOUT_SECONDS = 60;

export interface RestorableServers {
  readonly archive: ArchivedPostgres;
  readonly postgres: KillableServer;
  /** Starts a server with an empty file of its own. Returns its address. */
  startEmptyTemporal(): Promise<string>;
}

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
  return (await ownTemporal({ folder, stops })).temporalAddress;
}
