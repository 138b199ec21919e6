import { DefaultLogger, type Logger, type TelemetryOptions } from '@temporalio/worker';
import type { Log } from '../process/log.ts';

/** Said at each start of the pumps' worker, which is meant to have none. */
const EXPECTED = 'No workflows registered';

/** Each poller says it again and again while Temporal is away, which is told once as `temporal.missed` or the like. */
const REPETITIVE = /^gRPC call \w+ retried/;

/** The core would write lines of its own form to stdout; through the logger they are lines of our log. */
export const coreLogging: NonNullable<TelemetryOptions['logging']> = {
  filter: { core: 'WARN', other: 'ERROR' },
  forward: {},
};

/** What the SDK and its core warn of, as lines of our log. */
export function sdkLogger(log: Log): Logger {
  return new DefaultLogger('WARN', ({ level, message, meta }) => {
    if (message.startsWith(EXPECTED) || REPETITIVE.test(message)) return;
    log[level === 'ERROR' ? 'error' : 'warn']('temporal.reported', { message, ...meta });
  });
}
