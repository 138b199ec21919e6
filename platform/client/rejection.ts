import { z } from 'zod';
import { PlatformRejected } from './errors.ts';

/** A field of an unexpected type must not hide the code, which decides what happens next. */
const errorBody = z.object({
  error: z.object({
    code: z.number().nullish().catch(null),
    error_subcode: z.number().nullish().catch(null),
    is_transient: z.boolean().nullish().catch(null),
    error_user_msg: z.string().nullish().catch(null),
    message: z.string().nullish().catch(null),
    error_data: z.object({ details: z.string() }).nullish().catch(null),
    fbtrace_id: z.string().nullish().catch(null),
  }),
});
type ErrorFields = z.output<typeof errorBody>['error'];

interface Rejection {
  readonly status: number;
  readonly value: unknown;
  readonly secrets: readonly string[];
  readonly retryAfterSeconds: number | null;
}

export function rejectionOf({ status, value, secrets, retryAfterSeconds }: Rejection): PlatformRejected {
  const error = errorFields(value);
  const text = textsOf(error)
    .map((each) => redactPlatformText(each, secrets))
    .find(Boolean);
  return new PlatformRejected({
    status,
    code: error?.code ?? null,
    subcode: error?.error_subcode ?? null,
    isTransient: error?.is_transient ?? false,
    text: text ?? null,
    retryAfterSeconds,
  });
}

export function codesOf(value: unknown): string | null {
  const error = errorFields(value);
  if (error?.code === undefined || error.code === null) return null;
  return [error.code, error.error_subcode ?? undefined].filter((code) => code !== undefined).join('/');
}

const TRACE_ID = /^[A-Za-z0-9_.+/=:-]{1,128}$/;

export function traceOf(header: string | string[] | undefined, value: unknown): string | null {
  const candidates = [header, errorFields(value)?.fbtrace_id];
  return candidates.find((text): text is string => typeof text === 'string' && TRACE_ID.test(text)) ?? null;
}

function errorFields(value: unknown): ErrorFields | undefined {
  return errorBody.safeParse(value).data?.error;
}

/** Prefers the text for users. */
function textsOf(error: ErrorFields | undefined): string[] {
  const message = error?.message ?? '';
  const details = error?.error_data?.details ?? '';
  return [error?.error_user_msg ?? '', [message, details].filter(Boolean).join(': ')];
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One day. Longer hints are capped. */
const MAX_SECONDS = 86_400;
const SECONDS_PER_MINUTE = 60;

export function retryAfterSeconds(headers: Headers, now: Date): number | null {
  const hints = [parseRetryAfter(headers['retry-after'], now), regainSeconds(headers[USAGE_HEADER])];
  const given = hints.filter((hint) => hint !== null);
  return given.length > 0 ? Math.min(Math.max(...given), MAX_SECONDS) : null;
}

function parseRetryAfter(value: string | string[] | undefined, now: Date): number | null {
  if (typeof value !== 'string') return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - now.getTime()) / 1000));
}

const USAGE_HEADER = 'x-business-use-case-usage';
const usages = z.record(
  z.string(),
  z.array(
    z
      .object({ estimated_time_to_regain_access: z.number().nonnegative() })
      .catch({ estimated_time_to_regain_access: 0 }),
  ),
);

/** The header holds minutes for each use case; 0 means no limit. */
function regainSeconds(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string') return null;
  const minutes = usagesOf(value).map((usage) => usage.estimated_time_to_regain_access);
  const longest = Math.max(0, ...minutes);
  return longest > 0 ? Math.ceil(longest * SECONDS_PER_MINUTE) : null;
}

function usagesOf(text: string) {
  try {
    return Object.values(usages.parse(JSON.parse(text))).flat();
  } catch {
    return [];
  }
}

const MAX_LENGTH = 300;
const REDACTED = '[redacted]';
/** Shorter secrets exist only in development, and match whole words only. */
const MIN_SECRET_LENGTH = 8;

/** Makes a platform text safe to show. Truncates last, so that no part of a secret remains. */
export function redactPlatformText(text: string, secrets: readonly string[]): string {
  // Control characters and those that change the text direction.
  const line = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\s]+/gu, ' ');
  const spellings = secrets.flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())]);
  const longestFirst = spellings.filter(Boolean).sort((left, right) => right.length - left.length);
  const clean = longestFirst.reduce((rest, secret) => rest.replace(occurrences(secret), REDACTED), line).trim();
  const characters = [...clean];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : clean;
}

function occurrences(secret: string): RegExp {
  const literal = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(secret.length < MIN_SECRET_LENGTH ? `(?<!\\w)${literal}(?!\\w)` : literal, 'g');
}
