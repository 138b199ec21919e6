import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

/** Must run once per process, before its first connection or worker. */
export function quietTemporal(): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
}
