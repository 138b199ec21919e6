import { DefaultLogger, type Logger } from '@temporalio/worker';
import type { Log } from '../log.ts';

/** Said at each start of the pumps' worker, which is meant to have none. */
const EXPECTED = 'No workflows registered';

/** What the SDK and its core warn of, as lines of our log. */
export function sdkLogger(log: Log): Logger {
  return new DefaultLogger('WARN', ({ level, message, meta }) => {
    if (message.startsWith(EXPECTED)) return;
    log[level === 'ERROR' ? 'error' : 'warn']('temporal.reported', { message, ...meta });
  });
}
