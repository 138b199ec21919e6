import { DefaultLogger, type Logger, type TelemetryOptions } from '@temporalio/worker';
import type { Log } from '../process/log.ts';

/** The pump worker has no workflows on purpose. */
const EXPECTED = 'No workflows registered';

/** Each poller repeats it while Temporal is unavailable, which the service logs itself. */
const REPETITIVE = /^gRPC call \w+ retried/;

/** By default, the core writes to stdout in another format. */
export const coreLogging: NonNullable<TelemetryOptions['logging']> = {
  filter: { core: 'WARN', other: 'ERROR' },
  forward: {},
};

export function sdkLogger(log: Log): Logger {
  return new DefaultLogger('WARN', ({ level, message, meta }) => {
    if (message.startsWith(EXPECTED) || REPETITIVE.test(message)) return;
    log[level === 'ERROR' ? 'error' : 'warn']('temporal.reported', { message, ...meta });
  });
}
