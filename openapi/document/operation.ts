import { z } from 'zod';
import type {
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { type ErrorCode, errorCodes } from '../../contract/errors.ts';
import {
  errorsOf,
  type GuardedAccess,
  mayBeLeftOut,
  neededScopes,
  type PathParameter,
  type PrincipalKind,
  type RouteDefinition,
  tenantPrincipals,
} from '../definitions/route-definition.ts';
import { lastEventIdField } from '../deliveries/event-stream.ts';
import { errorDetails, errorSchema } from '../error-schema.ts';
import { idField } from '../definitions/fields.ts';
import { idempotencyKeyField } from '../definitions/idempotency-key.ts';

/** One operation of the document. */
export function operationOf(route: RouteDefinition): ZodOpenApiOperationObject {
  const { access } = route;
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [route.tag],
    ...(access.auth === 'credential' && { description: accessText(access), security: securityOf(access) }),
    requestParams: {
      path: z.object(mapValues(route.parameters, parameterField)),
      ...(route.query && { query: route.query }),
      ...headerOf(route),
    },
    ...requestBodyOf(route),
    responses: responsesOf(route),
  };
}

function parameterField(parameter: PathParameter) {
  if (parameter.kind !== 'platformId') return idField(parameter.kind, `Id of the ${parameter.kind}.`);
  return z.string().regex(parameter.pattern).meta({ description: parameter.description });
}

function requestBodyOf({ body, upload }: RouteDefinition): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (upload !== undefined) return { requestBody: { required: true, description: upload, content: fileContent } };
  if (!body) return {};
  return { requestBody: { required: !mayBeLeftOut(body), content: { 'application/json': { schema: body } } } };
}

/** A file by itself, named by its own type; or as the field `file` of a form. */
const fileContent = {
  '*/*': { schema: { type: 'string', format: 'binary' } },
  'multipart/form-data': {
    schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
  },
} satisfies ZodOpenApiContentObject;

const principalNames: Readonly<Record<PrincipalKind, string>> = {
  user: 'people in a session',
  api_key: 'API keys',
  agent: "agents' keys",
  staff: 'keys of staff',
};

function accessText(access: GuardedAccess): string {
  const { principals, within, role } = access;
  const scopes = neededScopes(access).map((scope) => `\`${scope}\``);
  const isOfOrganization = ['organization', 'person'].includes(within) || role === 'organization_admin';
  const place = isOfOrganization ? 'organization' : 'workspace';
  const sentences = [
    scopes.length > 0 &&
      `Needs the scope${scopes.length > 1 ? 's' : ''} ${scopes.join(' and ')} where the credential is limited.`,
    tenantPrincipals.some((kind) => !principals.includes(kind)) &&
      `For ${principals.map((kind) => principalNames[kind]).join(' and ')} only.`,
    role !== 'member' && `Needs the role of ${place} ${role === 'developer' ? 'developer' : 'admin'}.`,
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
  const { status, body, file } = route.success;
  const success = answer(route.summary, body, status === 201 ? locationHeader(route) : {});
  if (route.eventStream) responses[`${status}`] = eventStream(route.eventStream);
  else responses[`${status}`] = file ? { ...success, content: { '*/*': fileContent['*/*'] } } : success;
  for (const [other, schema] of Object.entries(route.otherAnswers ?? {})) {
    responses[`${Number(other) as 500}`] = answer('The answer is no.', schema, {});
  }
  for (const [errorStatus, codes] of byStatus(errorsOf(route))) {
    responses[`${errorStatus}`] ??= refusal(errorStatus, { codes, route });
  }
  return responses;
}

function byStatus(codes: readonly ErrorCode[]) {
  return Map.groupBy(codes, (code) => errorCodes[code]);
}

/** Says exactly which codes come with this status. */
function refusal(
  status: number,
  { codes, route }: { codes: readonly ErrorCode[]; route: RouteDefinition },
): ZodOpenApiResponseObject {
  const [first, ...rest] = codes;
  if (first === undefined) throw new Error(`No code has the status ${status}`);
  const named = { statusCode: z.literal(status), code: z.enum([first, ...rest]) };
  const schema = errorSchema.extend({ ...named, ...detailsOf(codes) });
  const headers = {
    ...requestIdHeader,
    ...(status === 401 && { 'WWW-Authenticate': { schema: { type: 'string' as const } } }),
    ...(status === 429 && rateLimitHeaders),
    ...(comesWithRetryAfter(status, codes) && { 'Retry-After': { schema: { type: 'string' as const } } }),
    ...(locatedStatuses.has(status) && locationHeader(route)),
  };
  return { description: codes.join(', '), headers, content: { 'application/json': { schema } } };
}

/** Refusals of these come after something was stored, where the route stores something. */
const locatedStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** What some codes have beside the fields of every refusal; each says of itself which it comes with. */
function detailsOf(codes: readonly ErrorCode[]): z.ZodRawShape {
  const details: Partial<Record<ErrorCode, z.ZodRawShape>> = errorDetails;
  return Object.assign({}, ...codes.map((code) => details[code]));
}

/** Come with it where something is known of the time. */
const retryCodes: ReadonlySet<ErrorCode> = new Set(['CONTAINER_NOT_READY', 'PLATFORM_REJECTED']);

function comesWithRetryAfter(status: number, codes: readonly ErrorCode[]): boolean {
  return status === 429 || status === 503 || codes.some((code) => retryCodes.has(code));
}

function answer(description: string, schema: z.ZodObject | null, more: object): ZodOpenApiResponseObject {
  const headers = { ...requestIdHeader, ...more };
  return { description, headers, ...(schema && { content: { 'application/json': { schema } } }) };
}

function locationHeader({ location }: RouteDefinition) {
  return location === undefined ? {} : { Location: { description: location, schema: { type: 'string' as const } } };
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
