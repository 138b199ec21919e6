import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { freePort } from '../../../dev/processes/ports.ts';
import { type RunningTemporal } from '../../../dev/temporal/temporal-server.ts';
import { startQuietTemporal } from './quiet-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface OwnTemporal {
  readonly address: string;
  kill9(): Promise<void>;
  start(): Promise<void>;
}

export interface OwnTemporalOptions {
  /** Optional. Added to the server's settings. */
  readonly settings?: Readonly<Record<string, number | boolean>>;
  /** Optional. Default: no UI. */
  readonly uiPort?: number;
}

/** Starts a Temporal server that keeps its state across restarts. */
export async function ownTemporal(
  t: ExecutionContext<unknown>,
  { settings = {}, uiPort }: OwnTemporalOptions = {},
): Promise<OwnTemporal> {
  const folder = await temporaryFolder(t);
  const port = await freePort();
  let pid: number | undefined;
  let running: RunningTemporal;
  const start = async (): Promise<void> => {
    const databaseFile = join(folder, 'temporal.db');
    const onPid = (now: number | undefined): void => void (pid = now);
    running = await startQuietTemporal({ databaseFile, port, uiPort: uiPort ?? null, settings, onPid });
  };
  await start();
  t.teardown(() => running.stop());
  return {
    address: `127.0.0.1:${port}`,
    async kill9() {
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      await running.stop(); // Cleared in the same turn, so that the supervisor does not restart it.
    },
    start,
  };
}
