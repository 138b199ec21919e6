import { z } from 'zod';
import {
  MAX_BATCH_EVENTS,
  MAX_CONCURRENCY,
  MAX_DEBOUNCE_SECONDS,
  MAX_REQUESTS_PER_SECOND,
  MAX_RETRY_SECONDS,
  MAX_RETRY_STEP_SECONDS,
  MAX_RETRY_STEPS,
  MAX_TIMEOUT_SECONDS,
  retryScheduleNames,
} from '../../contract/destinations/options.ts';
import {
  headerNameProblem,
  headerValueProblem,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
} from '../../contract/destinations/static-headers.ts';
import { noControlCharacters } from './fields.ts';

/** How a destination wants its requests: as it is set, and as it is shown, without secrets. */

/** Removals count as well. */
const MAX_CHANGED_HEADERS = 2 * MAX_HEADERS;

const headersInput = z
  .record(z.string(), z.string().nullable())
  .superRefine((headers, { addIssue }) => {
    const entries = Object.entries(headers);
    if (entries.length > MAX_CHANGED_HEADERS) addIssue(`must change at most ${MAX_CHANGED_HEADERS} headers`);
    for (const [name, value] of entries.slice(0, MAX_CHANGED_HEADERS)) {
      const nameProblem = value === null ? undefined : headerNameProblem(name);
      if (nameProblem !== undefined) addIssue(nameProblem);
      const valueProblem = value === null ? undefined : headerValueProblem(value);
      if (nameProblem === undefined && valueProblem !== undefined)
        addIssue({ code: 'custom', path: [name], message: valueProblem });
    }
  })
  .describe(
    `Headers that every delivery carries; null removes one, others stay. Names have letters, digits and hyphens. At most ${MAX_HEADERS} with ` +
      `${MAX_HEADER_BYTES} bytes in all. Never returned.`,
  );

/** RFC 7617: the colon ends the user name. */
const usernameField = z
  .string()
  .min(1)
  .max(200)
  .regex(noControlCharacters, 'must have no control characters')
  .regex(/^[^:]*$/, 'must have no colon');

const authenticationInput = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({
      type: z.literal('basic'),
      username: usernameField,
      password: z.string().max(1_000).regex(noControlCharacters, 'must have no control characters'),
    }),
    z.strictObject({
      type: z.literal('bearer'),
      token: z
        .string()
        .max(2_000)
        .regex(/^[\x21-\x7e]+$/, 'must have visible ASCII characters without spaces'),
    }),
  ])
  .describe('The header `Authorization` of every delivery. Never returned.');

const rateFields = {
  requestsPerSecond: z
    .int()
    .min(1)
    .max(MAX_REQUESTS_PER_SECOND)
    .nullable()
    .describe('Requests that begin in any second.'),
  concurrency: z.int().min(1).max(MAX_CONCURRENCY).nullable().describe('Requests at the same time.'),
};

const stepsField = z.array(z.int().min(1).max(MAX_RETRY_STEP_SECONDS)).min(1).max(MAX_RETRY_STEPS);
const stepsInput = stepsField
  .refine((steps) => steps.reduce((sum, seconds) => sum + seconds, 0) <= MAX_RETRY_SECONDS, {
    message: `must last at most ${MAX_RETRY_SECONDS} seconds in all`,
  })
  .describe('Seconds before each retry.');

const debounceFields = {
  seconds: z.int().min(1).max(MAX_DEBOUNCE_SECONDS).describe('From the first waiting event.'),
  maxEvents: z.int().min(2).max(MAX_BATCH_EVENTS),
};

const scheduleDescription =
  '`default`: the schedule of the installation. `fast`: eight retries in 19 minutes. `patient`: twelve in five days.';
const timeoutField = z.int().min(1).max(MAX_TIMEOUT_SECONDS).nullable();

export const optionsInput = {
  headers: headersInput.optional(),
  authentication: authenticationInput.optional(),
  timeoutSeconds: timeoutField.optional().describe('Until the end of the response; null for the default.'),
  rate: z
    .strictObject({
      requestsPerSecond: rateFields.requestsPerSecond.optional(),
      concurrency: rateFields.concurrency.optional(),
    })
    .optional()
    .describe('Further deliveries wait. An omitted limit stays, and null removes one.'),
  retrySchedule: z
    .union([z.enum(retryScheduleNames), z.strictObject({ steps: stepsInput })])
    .optional()
    .describe('`fast`: eight in 19 minutes. `patient`: twelve in five days.'),
  debounce: z
    .strictObject({ ...debounceFields, maxEvents: debounceFields.maxEvents.optional() })
    .nullable()
    .optional()
    .describe('Gathers the events of a conversation into one array; null sends each alone.'),
};
export const optionNames = Object.keys(optionsInput) as readonly (keyof typeof optionsInput)[];

const authenticationShown = z
  .strictObject({
    type: z.enum(['none', 'basic', 'bearer']),
    username: z.string().nullable().describe('Of `basic`; otherwise null.'),
  })
  .describe('How deliveries authenticate. Secrets are never returned.');

export const optionsShown = {
  headers: z.array(z.string()).describe('Names of the static headers. Values are never returned.'),
  authentication: authenticationShown,
  timeoutSeconds: timeoutField.describe('Null for the default of the installation.'),
  rate: z.strictObject(rateFields),
  retrySchedule: z
    .union([z.enum(retryScheduleNames), z.strictObject({ steps: stepsField })])
    .describe(`${scheduleDescription} Or own steps, in seconds.`),
  debounce: z
    .strictObject({
      ...debounceFields,
      maxEvents: debounceFields.maxEvents.describe('Events after which the request begins earlier.'),
    })
    .nullable()
    .describe('How the events of a conversation are gathered into one request; null if each is sent alone.'),
};
