import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { type ErrorCode, errorCodes } from '../../contract/errors.ts';
import {
  errorsOf,
  type GuardedAccess,
  mayBeLeftOut,
  type PrincipalKind,
  type RouteDefinition,
  tenantPrincipals,
} from '../../contract/routes/definition.ts';
import { lastEventIdField } from '../../contract/schemas/event-stream.ts';
import { errorSchema } from '../../contract/schemas/error.ts';
import { idField } from '../../contract/schemas/fields.ts';
import { idempotencyKeyField } from '../../contract/schemas/idempotency-key.ts';

/** One operation of the document. */
export function operationOf(route: RouteDefinition): ZodOpenApiOperationObject {
  const { access } = route;
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [route.tag],
    ...(access.auth === 'credential' && { description: accessText(access), security: securityOf(access) }),
    requestParams: {
      path: z.object(mapValues(route.parameters, ({ kind }) => idField(kind, `Id of the ${kind}.`))),
      ...(route.query && { query: route.query }),
      ...headerOf(route),
    },
    ...(route.body && {
      requestBody: { required: !mayBeLeftOut(route.body), content: { 'application/json': { schema: route.body } } },
    }),
    responses: responsesOf(route),
  };
}

const principalNames: Readonly<Record<PrincipalKind, string>> = {
  user: 'people in a session',
  api_key: 'API keys',
  agent: "agents' keys",
  staff: 'keys of staff',
};

function accessText({ principals, scope, within, role }: GuardedAccess): string {
  const isOfOrganization = ['organization', 'person'].includes(within) || role === 'organization_admin';
  const place = isOfOrganization ? 'organization' : 'workspace';
  const sentences = [
    scope !== null && `Needs the scope \`${scope}\` where the credential is limited.`,
    tenantPrincipals.some((kind) => !principals.includes(kind)) &&
      `For ${principals.map((kind) => principalNames[kind]).join(' and ')} only.`,
    role !== 'member' && `Needs the role of ${place} admin.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

function securityOf({ principals }: GuardedAccess) {
  const byKey = principals.some((kind) => kind !== 'user');
  const bySession = principals.includes('user');
  return [...(byKey ? [{ apiKey: [] }] : []), ...(bySession ? [{ session: [] }, { accessToken: [] }] : [])];
}

function headerOf({ access, idempotent, eventStream: stream }: RouteDefinition) {
  const within = access.auth === 'none' ? undefined : access.within;
  const field = idField('workspace', 'The workspace that the request is about.');
  const fields = {
    ...(within === 'header' && { 'X-Workspace-Id': field }),
    ...((within === 'channel' || within === 'scope') && { 'X-Workspace-Id': field.optional() }),
    ...(stream && { 'Last-Event-ID': lastEventIdField.optional() }),
    ...(idempotent && { 'Idempotency-Key': idempotencyKeyField.optional() }),
  };
  return Object.keys(fields).length > 0 ? { header: z.object(fields) } : {};
}

function responsesOf(route: RouteDefinition): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {};
  const { status, body } = route.success;
  responses[`${status}`] = route.eventStream ? eventStream(route.eventStream) : answer(route.summary, body);
  for (const [other, schema] of Object.entries(route.otherAnswers ?? {})) {
    responses[`${Number(other) as 500}`] = answer('The answer is no.', schema);
  }
  for (const [errorStatus, codes] of byStatus(errorsOf(route))) {
    responses[`${errorStatus}`] ??= refusal(errorStatus, codes);
  }
  return responses;
}

function byStatus(codes: readonly ErrorCode[]) {
  return Map.groupBy(codes, (code) => errorCodes[code]);
}

/** Says exactly which codes come with this status. */
function refusal(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const [first, ...rest] = codes;
  if (first === undefined) throw new Error(`No code has the status ${status}`);
  const schema = errorSchema.extend({ statusCode: z.literal(status), code: z.enum([first, ...rest]) });
  const headers = {
    ...requestIdHeader,
    ...(status === 401 && { 'WWW-Authenticate': { schema: { type: 'string' as const } } }),
    ...(status === 429 && rateLimitHeaders),
    ...((status === 429 || status === 503) && { 'Retry-After': { schema: { type: 'string' as const } } }),
  };
  return { description: codes.join(', '), headers, content: { 'application/json': { schema } } };
}

function answer(description: string, schema: z.ZodObject | null): ZodOpenApiResponseObject {
  return { description, headers: requestIdHeader, ...(schema && { content: { 'application/json': { schema } } }) };
}

/** Each event's data is one such object, as JSON. */
function eventStream(schema: z.ZodObject): ZodOpenApiResponseObject {
  const { title = 'JSON', id = title } = schema.meta() ?? {};
  const description =
    `Server-sent events until one side ends them. An event \`delivery\` has one ${id} as its data, in one line of JSON, ` +
    'and its id is where to go on: show it as Last-Event-ID. An event `closed` with `{"reason"}` says why the server ' +
    'ends the stream. Comment lines come every 15 s.';
  return {
    description,
    headers: requestIdHeader,
    content: { 'text/event-stream': { schema: z.string().meta({ description }) } },
  };
}

const requestIdHeader = {
  'x-request-id': { description: 'Names the request, for support.', schema: { type: 'string' as const } },
};

const rateLimitHeaders = {
  RateLimit: {
    description:
      'What is left of the limit that counted last, and the seconds until it is whole; successes carry it too.',
    schema: { type: 'string' as const },
  },
  'RateLimit-Policy': {
    description: 'That limit: its quota, and the seconds of its window.',
    schema: { type: 'string' as const },
  },
};

function mapValues<Value, Mapped>(record: Readonly<Record<string, Value>>, map: (value: Value) => Mapped) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
