import type { EventName, Log, LogFields } from '../../process/log.ts';

export interface LoggedLine extends LogFields {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly event: EventName;
}

export function rememberingLog(): Log & { readonly lines: readonly LoggedLine[] } {
  const lines: LoggedLine[] = [];
  const over = (base: LogFields): Log => ({
    debug: (event, fields) => void lines.push({ ...base, ...fields, level: 'debug', event }),
    info: (event, fields) => void lines.push({ ...base, ...fields, level: 'info', event }),
    warn: (event, fields) => void lines.push({ ...base, ...fields, level: 'warn', event }),
    error: (event, fields) => void lines.push({ ...base, ...fields, level: 'error', event }),
    child: (fields) => over({ ...base, ...fields }),
    flush: () => Promise.resolve(),
  });
  return { ...over({}), lines };
}
