import { type DestinationStream, destination as openDestination, type Logger, pino, stdSerializers } from 'pino';

/**
 * `noun.verbed` or `noun.verbFailed`. Fields are ids and numbers, never sentences, bodies or secrets. A field called
 * `error` takes an Error.
 */
export type EventName = `${string}.${string}`;
export type LogFields = Readonly<Record<string, unknown>>;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export interface Log {
  debug(event: EventName, fields?: LogFields): void;
  info(event: EventName, fields?: LogFields): void;
  warn(event: EventName, fields?: LogFields): void;
  error(event: EventName, fields?: LogFields): void;
  child(fields: LogFields): Log;
  /** Resolves when the operating system has all lines. */
  flush(): Promise<void>;
}

export interface LogOptions {
  readonly name: string;
  readonly level: LogLevel;
  /** Optional. Default: stdout. */
  readonly destination?: DestinationStream;
}

/** Each write is a system call. */
const BUFFER_BYTES = 4096;
/** Limits the delay of a line, and the loss when the process is killed. */
const FLUSH_AFTER_MS = 100;

/** Masked if they reach the log by mistake, at the top level or one below. */
const secretFields = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  '["x-api-key"]',
  'apiKey',
  'token',
  'accessToken',
  'verifyToken',
  'secret',
  'hmacSecret',
  'appSecret',
  'password',
];
const redactPaths = secretFields.flatMap((field) => [field, field.startsWith('[') ? `*${field}` : `*.${field}`]);

export function createLog({ name, level, destination = stdout() }: LogOptions): Log {
  return logOver(
    pino({ name, level, redact: { paths: redactPaths }, serializers: { error: shownError } }, destination),
  );
}

/** Removes the row that PostgreSQL quotes, which may contain secrets. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { ...stdSerializers.err(error), detail: undefined, where: undefined };
}

/** The library's own timer flushes ten times a second even if there is nothing to write, which wakes an idle process. */
function stdout(): DestinationStream {
  const stream = openDestination({ dest: 1, sync: false, minLength: BUFFER_BYTES });
  let flushing: NodeJS.Timeout | undefined;
  const flushable: DestinationStream & { readonly flush: typeof stream.flush } = {
    write(line) {
      stream.write(line);
      flushing ??= setTimeout(() => {
        flushing = undefined;
        stream.flush();
      }, FLUSH_AFTER_MS).unref();
    },
    flush: (done) => stream.flush(done),
  };
  return flushable;
}

function logOver(logger: Logger): Log {
  return {
    debug: (event, fields = {}) => logger.debug(fields, event),
    info: (event, fields = {}) => logger.info(fields, event),
    warn: (event, fields = {}) => logger.warn(fields, event),
    error: (event, fields = {}) => logger.error(fields, event),
    child: (fields) => logOver(logger.child(fields)),
    flush: () => new Promise((resolve, reject) => logger.flush((error) => (isLost(error) ? reject(error) : resolve()))),
  };
}

/** pino calls fsync, which a pipe rejects with EINVAL after the write. */
function isLost(error: Error | undefined): boolean {
  return error instanceof Error && !('code' in error && error.code === 'EINVAL');
}
