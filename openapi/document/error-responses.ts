import { z } from 'zod';
import type { ZodOpenApiComponentsObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { type ErrorCode, statusByErrorCode } from '../../contract/errors.ts';
import { errorMeanings } from '../error-meanings.ts';
import { errorExample } from '../examples/error-example.ts';
import { headerReference } from './headers.ts';

/** Open for codes and fields that are added later, as generated clients must be. */
const errorSchema = z
  .looseObject({
    statusCode: z.int().min(400).max(599).describe('Equal to the status of the response.'),
    code: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]*$/)
      .describe('Stable and machine-readable. Codes may be added. Each operation names its own.'),
    message: z.string().describe('Says what is wrong and what to do next. Its text may change.'),
    requestId: z.string().describe('Quote it when you contact support.'),
  })
  .meta({ id: 'Error', description: 'The body of every error response.' });

/**
 * The error responses of all operations. Operations with the same status, codes and headers share one component, and all
 * share the schema `Error`, so that generators make one class. The codes are named examples with a description.
 */

/** One object per component, because two objects with one id are a conflict. */
const components = new Map<string, ZodOpenApiResponseObject>();
const namedCodes = new Set<ErrorCode>();

interface Refusal {
  readonly status: number;
  readonly codes: readonly ErrorCode[];
  /** Optional. Describes the header Location, if a resource may have been created before the error. */
  readonly location?: string | undefined;
}

/** Returns the error responses of an operation by their statuses. */
export function errorResponses(
  codes: readonly ErrorCode[],
  location?: string,
): Record<string, ZodOpenApiResponseObject> {
  const byStatus = Map.groupBy(codes.toSorted(), (code) => statusByErrorCode[code]);
  return Object.fromEntries(
    Array.from(byStatus, ([status, codesOfStatus]) => [
      String(status),
      errorResponse({ status, codes: codesOfStatus, location }),
    ]),
  );
}

function errorResponse({ status, codes, location }: Refusal): ZodOpenApiResponseObject {
  const isLocated = location !== undefined && locatedStatuses.has(status);
  const id = `${codes.map(pascal).join('Or')}${isLocated ? 'WithLocation' : ''}`;
  const known = components.get(id);
  if (known) return known;
  const headers = {
    'x-request-id': headerReference('RequestId'),
    ...(status === 401 && { 'WWW-Authenticate': headerReference('Challenge') }),
    ...(status === 429 && {
      RateLimit: headerReference('RateLimit'),
      'RateLimit-Policy': headerReference('RateLimitPolicy'),
    }),
    ...(comesWithRetryAfter(status, codes) && { 'Retry-After': headerReference('RetryAfter') }),
    ...(isLocated && { Location: headerReference('Location') }),
  };
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  const content = { 'application/json': { schema: errorSchema, examples } };
  const response = { id, description: describe(codes), headers, content };
  components.set(id, response);
  for (const code of codes) namedCodes.add(code);
  return response;
}

/** One line for each code. */
function describe(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `${codes.length > 1 ? '- ' : ''}\`${code}\`: ${errorMeanings[code]}`).join('\n');
}

/** These errors may follow the creation of the resource. */
const locatedStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** With Retry-After if the time is known. */
const retryCodes: ReadonlySet<ErrorCode> = new Set([
  'CONTAINER_NOT_READY',
  'PLATFORM_REJECTED',
  'IDEMPOTENCY_KEY_IN_USE',
]);

function comesWithRetryAfter(status: number, codes: readonly ErrorCode[]): boolean {
  return status === 429 || status === 503 || codes.some((code) => retryCodes.has(code));
}

function pascal(code: ErrorCode): string {
  return code
    .toLowerCase()
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}

/** Returns an example for each code that a response names. */
export function errorExamples(): NonNullable<ZodOpenApiComponentsObject['examples']> {
  return Object.fromEntries(
    [...namedCodes].map((code) => [code, { summary: errorMeanings[code], value: errorExample(code) }]),
  );
}
