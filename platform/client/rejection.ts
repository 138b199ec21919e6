import { z } from 'zod';
import { PlatformRejected } from './errors.ts';
import { redactPlatformText } from './redact-platform-text.ts';

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
