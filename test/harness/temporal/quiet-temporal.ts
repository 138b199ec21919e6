import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

/** A busy machine may stop a workflow's code for longer than the default of five seconds. */
export const patient = { isolateExecutionTimeout: '2m' } as const;

/** Must run once per process, before its first connection or worker. */
export function quietTemporal(): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
}
