import { headerNameProblem, MAX_HEADER_BYTES, MAX_HEADERS } from './static-headers.ts';

/**
 * How a destination wants its requests. Only what differs from the installation's defaults is stored, and nothing
 * secret: values of headers, passwords and tokens are sealed apart as `DestinationCredentials`.
 */
export interface DestinationOptions {
  /** Names of the static headers, in lower case and order. */
  readonly headers?: readonly string[];
  readonly authentication?: ShownAuthentication;
  readonly timeoutSeconds?: number;
  readonly requestsPerSecond?: number;
  readonly concurrency?: number;
  /** Seconds before each retry. */
  readonly retrySteps?: readonly number[];
  readonly debounce?: Debounce;
}

/** The events of a conversation are gathered into one request. */
export interface Debounce {
  /** From the first waiting event of a conversation to its request. */
  readonly seconds: number;
  /** Optional. Events after which the request begins earlier. Default: `MAX_BATCH_EVENTS`. */
  readonly maxEvents?: number;
}

export type ShownAuthentication = { readonly type: 'basic'; readonly username: string } | { readonly type: 'bearer' };

export type GivenAuthentication =
  | { readonly type: 'none' }
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'bearer'; readonly token: string };

/** Headers that are sent with each delivery. */
export interface DestinationCredentials {
  readonly headers: Readonly<Record<string, string>>;
  /** The value of the header `Authorization`, or null. */
  readonly authorization: string | null;
}

export const MAX_TIMEOUT_SECONDS = 30;
export const MAX_REQUESTS_PER_SECOND = 1_000;
export const MAX_CONCURRENCY = 100;
export const MAX_DEBOUNCE_SECONDS = 60;
export const MAX_BATCH_EVENTS = 100;
export const MAX_RETRY_STEPS = 20;
export const MAX_RETRY_STEP_SECONDS = 86_400;
export const MAX_RETRY_SECONDS = 7 * 86_400;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** `fast` gives up after 19 minutes, for events that are soon worthless. `patient` lasts five days. */
const retrySchedules = {
  fast: [2, 5, 10, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE],
  patient: [
    ...[MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR],
    ...[24 * HOUR, 24 * HOUR, 24 * HOUR, 24 * HOUR],
  ],
} as const satisfies Readonly<Record<string, readonly number[]>>;
export const retryScheduleNames = ['default', 'fast', 'patient'] as const;

export type RetrySchedule = (typeof retryScheduleNames)[number] | { readonly steps: readonly number[] };

function retryStepsOf(schedule: RetrySchedule): readonly number[] | undefined {
  if (typeof schedule === 'object') return schedule.steps;
  return schedule === 'default' ? undefined : retrySchedules[schedule];
}

export function retryScheduleOf(steps: readonly number[] | undefined): RetrySchedule {
  if (steps === undefined) return 'default';
  const name = (['fast', 'patient'] as const).find((one) => retrySchedules[one].join() === steps.join());
  return name ?? { steps };
}

/** The destination's own schedule, or the installation's. */
export function scheduleMsOf(options: DestinationOptions | null, scheduleMs: readonly number[]): readonly number[] {
  return options?.retrySteps?.map((seconds) => seconds * 1_000) ?? scheduleMs;
}

/** The pump makes all attempts of such a destination, because it alone counts or gathers them. */
export function staysInPump(options: DestinationOptions | null): boolean {
  return options?.requestsPerSecond !== undefined || options?.concurrency !== undefined || isDebounced(options);
}

/** The requests of such a destination contain an array of events. */
export function isDebounced(options: DestinationOptions | null | undefined): boolean {
  return options?.debounce !== undefined;
}

export function timeoutMsOf(options: DestinationOptions | null | undefined): number | undefined {
  return options?.timeoutSeconds === undefined ? undefined : options.timeoutSeconds * 1_000;
}

/** An undefined field keeps the present value, and null restores the default. */
export interface OptionsChange {
  /** Null removes a header. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
  readonly authentication?: GivenAuthentication | undefined;
  readonly timeoutSeconds?: number | null | undefined;
  readonly requestsPerSecond?: number | null | undefined;
  readonly concurrency?: number | null | undefined;
  readonly retrySchedule?: RetrySchedule | undefined;
  readonly debounce?: { readonly seconds: number; readonly maxEvents?: number | undefined } | null | undefined;
}

export interface OptionsWithCredentials {
  readonly options: DestinationOptions;
  readonly credentials: DestinationCredentials;
}

export const noCredentials: DestinationCredentials = { headers: {}, authorization: null };

/** Of the UTF-8 bytes. Injected, because contract/ has no encoder. */
export type EncodeBase64 = (text: string) => string;

/** Returns the changed options, or why the change is refused. */
export function changedOptions(
  { options, credentials }: OptionsWithCredentials,
  change: OptionsChange,
  encodeBase64: EncodeBase64,
): OptionsWithCredentials | { readonly problem: string } {
  const headers = changedHeaders(credentials.headers, change.headers ?? {});
  const authentication = change.authentication ? shown(change.authentication) : options.authentication;
  const authorization = change.authentication
    ? authorizationOf(change.authentication, encodeBase64)
    : credentials.authorization;
  const problem = namesProblem(change.headers ?? {}) ?? headersProblem(headers, authorization !== null);
  if (problem !== undefined) return { problem };
  const steps = change.retrySchedule === undefined ? options.retrySteps : retryStepsOf(change.retrySchedule);
  const names = Object.keys(headers).toSorted();
  return {
    options: {
      ...(names.length > 0 && { headers: names }),
      ...(authentication && { authentication }),
      ...kept('timeoutSeconds', change.timeoutSeconds, options.timeoutSeconds),
      ...kept('requestsPerSecond', change.requestsPerSecond, options.requestsPerSecond),
      ...kept('concurrency', change.concurrency, options.concurrency),
      ...(steps && { retrySteps: steps }),
      ...changedDebounce(options.debounce, change.debounce),
    },
    credentials: { headers, authorization },
  };
}

function kept(name: string, given: number | null | undefined, present: number | undefined): Record<string, number> {
  const value = given === undefined ? present : given;
  return value === null || value === undefined ? {} : { [name]: value };
}

function changedDebounce(present: Debounce | undefined, given: OptionsChange['debounce']): { debounce?: Debounce } {
  if (given === null) return {};
  if (given === undefined) return present ? { debounce: present } : {};
  const { seconds, maxEvents } = given;
  return { debounce: { seconds, ...(maxEvents !== undefined && { maxEvents }) } };
}

function changedHeaders(
  present: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const headers = new Map(Object.entries(present));
  for (const [name, value] of Object.entries(change)) {
    if (value === null) headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), value);
  }
  return Object.fromEntries(headers);
}

function headersProblem(headers: Readonly<Record<string, string>>, isAuthenticated: boolean): string | undefined {
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return `headers: at most ${MAX_HEADERS} are allowed`;
  if (entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > MAX_HEADER_BYTES)
    return `headers: names and values may have at most ${MAX_HEADER_BYTES} bytes in all`;
  if (isAuthenticated && headers['authorization'] !== undefined)
    return 'headers.authorization: remove it, or set authentication to none';
  return undefined;
}

/** A removal, which is null, may have any name. */
function namesProblem(change: Readonly<Record<string, string | null>>): string | undefined {
  const given = Object.entries(change).filter(([, value]) => value !== null);
  return given.map(([name]) => headerNameProblem(name)).find((problem) => problem !== undefined);
}

function shown(authentication: GivenAuthentication): ShownAuthentication | undefined {
  switch (authentication.type) {
    case 'none':
      return undefined;
    case 'basic':
      return { type: 'basic', username: authentication.username };
    case 'bearer':
      return { type: 'bearer' };
  }
}

/** RFC 7617, with UTF-8, and RFC 6750. */
function authorizationOf(authentication: GivenAuthentication, encodeBase64: EncodeBase64): string | null {
  switch (authentication.type) {
    case 'none':
      return null;
    case 'basic':
      return `Basic ${encodeBase64(`${authentication.username}:${authentication.password}`)}`;
    case 'bearer':
      return `Bearer ${authentication.token}`;
  }
}
