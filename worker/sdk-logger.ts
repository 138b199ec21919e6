import { DefaultLogger, type Logger, type TelemetryOptions } from '@temporalio/worker';
import type { Log } from '../process/log.ts';

/** Logged at every start of the pump worker, which has no workflows on purpose. */
const EXPECTED = 'No workflows registered';

/** Repeated by each poller while Temporal is unavailable, which the service logs itself. */
const REPETITIVE = /^gRPC call \w+ retried/;

/** Forwards the core's log lines, which would otherwise go to stdout in another format. */
export const coreLogging: NonNullable<TelemetryOptions['logging']> = {
  filter: { core: 'WARN', other: 'ERROR' },
  forward: {},
};

/** Writes warnings of the SDK and its core to the service's log. */
export function sdkLogger(log: Log): Logger {
  return new DefaultLogger('WARN', ({ level, message, meta }) => {
    if (message.startsWith(EXPECTED) || REPETITIVE.test(message)) return;
    log[level === 'ERROR' ? 'error' : 'warn']('temporal.reported', { message, ...meta });
  });
}
