import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

/** Keeps the SDK's progress out of the output of tests; once in a process, before its first connection or worker. */
export function quietTemporal(): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
}
