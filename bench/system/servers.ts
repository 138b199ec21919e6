import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '../../dev/postgres/embedded-postgres.ts';
import { freePort } from '../../dev/processes/ports.ts';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { findTemporal } from '../../dev/temporal/temporal-binary.ts';
import { startTemporal } from '../../dev/temporal/temporal-server.ts';
import { keptFolder } from './kept-data.ts';
import { preloadStatementStatistics } from './statements.ts';

export interface StartServers {
  readonly folder: string;
  readonly stops: StopList;
  readonly pids: Record<string, number | undefined>;
  readonly say: (text: string) => void;
}

/** Restarts PostgreSQL on the same port. Its clients reconnect. */
export type RestartDatabase = (parameters?: Readonly<Record<string, string>>) => Promise<void>;

export async function startServers({ folder, stops, pids, say }: StartServers) {
  const server = {
    dataDir: join(keptFolder ?? folder, 'postgres'),
    port: await freePort(),
    durable: true,
    onProgress: () => undefined,
    onPid: (pid: number | undefined) => void (pids['postgres'] = pid),
  };
  await preloadStatementStatistics(server);
  let postgres = await startPostgres(server);
  stops.add({
    name: 'postgres',
    async stop() {
      await postgres.stop();
      if (!keptFolder) await rm(postgres.folder, { recursive: true, force: true });
    },
  });
  const restartDatabase: RestartDatabase = async (parameters = {}) => {
    await postgres.stop();
    postgres = await startPostgres({ ...server, parameters });
  };
  const temporal = await startTemporal({
    binary: await findTemporal({ onProgress: say }),
    databaseFile: join(folder, 'temporal.db'),
    port: await freePort(),
    uiPort: null,
    onProgress: say,
    log: () => undefined,
    onPid: (pid) => void (pids['temporal'] = pid),
  });
  stops.add({ name: 'temporal', stop: temporal.stop });
  return { databaseUrl: postgres.url, temporalAddress: temporal.address, restartDatabase };
}
