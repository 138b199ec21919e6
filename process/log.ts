import { type DestinationStream, destination as openDestination, type Logger, pino, stdSerializers } from 'pino';

/**
 * One JSON line per attempt, request or transition, on stdout. The event's name is `noun.pastTense`; the fields are
 * ids and numbers with their units, never sentences, bodies or secrets. Fields called `error` take an Error.
 */
export type EventName = `${string}.${string}`;
export type LogFields = Readonly<Record<string, unknown>>;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export interface Log {
  debug(event: EventName, fields?: LogFields): void;
  info(event: EventName, fields?: LogFields): void;
  warn(event: EventName, fields?: LogFields): void;
  error(event: EventName, fields?: LogFields): void;
  /** A log that adds these fields to each line. */
  child(fields: LogFields): Log;
  /** Writes out what is buffered; resolves when it is with the operating system. */
  flush(): Promise<void>;
}

export interface LogOptions {
  /** The process, as the `name` of each line. */
  readonly name: string;
  readonly level: LogLevel;
  /** Where lines go; stdout unless given. */
  readonly destination?: DestinationStream;
}

/** Lines are gathered to about one page, so that thousands a second cost few system calls … */
const BUFFER_BYTES = 4096;
/** … but are out soon enough to be read live. A killed process loses at most this much of its log. */
const FLUSH_EVERY_MS = 100;

/** The last net under L1: a secret that slipped into the fields, or one level into one of them, is masked. */
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

/** Opens the log of a process; what is buffered is written when the process exits. */
export function createLog({ name, level, destination = stdout() }: LogOptions): Log {
  return logOver(
    pino({ name, level, redact: { paths: redactPaths }, serializers: { error: shownError } }, destination),
  );
}

/** Without what the database quotes of a row: it may hold an address, or a secret. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { ...stdSerializers.err(error), detail: undefined, where: undefined };
}

function stdout(): DestinationStream {
  return openDestination({ dest: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_EVERY_MS });
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

/** After the write pino asks the system to sync; a pipe refuses that with EINVAL, and has the lines all the same. */
function isLost(error: Error | undefined): boolean {
  return error instanceof Error && !('code' in error && error.code === 'EINVAL');
}
