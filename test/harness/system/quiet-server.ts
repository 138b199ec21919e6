import { freePort } from '../../../dev/processes/ports.ts';
import { findTemporal } from '../../../dev/temporal/temporal-binary.ts';
import { type RunningTemporal, startTemporal } from '../../../dev/temporal/temporal-server.ts';

const quiet = (): void => undefined;

/** Starts a Temporal server without a UI and, unless a file is given, in memory. */
export async function startQuietTemporal(
  options: Partial<Parameters<typeof startTemporal>[0]> = {},
): Promise<RunningTemporal> {
  return await startTemporal({
    binary: await findTemporal({ onProgress: quiet }),
    port: options.port ?? (await freePort()),
    databaseFile: null,
    uiPort: null,
    onProgress: quiet,
    log: quiet,
    ...options,
  });
}
