import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

/** A busy machine may stop a workflow's code for longer than the default of five seconds. */
export const patient = { isolateExecutionTimeout: '2m' } as const;

let isQuiet = false;

/** Must run before the first connection or worker of a process. */
export function quietTemporal(): void {
  if (isQuiet) return;
  isQuiet = true;
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
}
