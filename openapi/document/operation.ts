import { z } from 'zod';
import type {
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { type ErrorCode, statusByErrorCode } from '../../contract/errors.ts';
import {
  errorsOf,
  type GuardedAccess,
  isBodyOptional,
  neededScopes,
  type PathParameter,
  type PrincipalKind,
  type RouteDefinition,
  tenantPrincipals,
} from '../definitions/route-definition.ts';
import { lastEventIdField } from '../deliveries/event-stream.ts';
import { errorSchema } from '../error-schema.ts';
import { idField } from '../definitions/fields.ts';
import { idempotencyKeyField } from '../definitions/idempotency-key.ts';

export function operationOf(route: RouteDefinition): ZodOpenApiOperationObject {
  const { access } = route;
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [route.tag],
    ...descriptionOf(route),
    ...(access.auth === 'credential' && { security: securityOf(access) }),
    requestParams: {
      path: z.object(mapValues(route.parameters, parameterField)),
      ...(route.query && { query: route.query }),
      ...headerOf(route),
    },
    ...requestBodyOf(route),
    responses: responsesOf(route),
  };
}

function descriptionOf({ description, access }: RouteDefinition): { description?: string } {
  const sentences = [description, access.auth === 'credential' && accessText(access)].filter(Boolean);
  return sentences.length > 0 ? { description: sentences.join(' ') } : {};
}

function parameterField(parameter: PathParameter) {
  if (parameter.kind !== 'platformId') return idField(parameter.kind, `Id of the ${parameter.kind}.`);
  return z.string().regex(parameter.pattern).meta({ description: parameter.description });
}

function requestBodyOf({ body, upload }: RouteDefinition): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (upload !== undefined) return { requestBody: { required: true, description: upload, content: fileContent } };
  if (!body) return {};
  return { requestBody: { required: !isBodyOptional(body), content: { 'application/json': { schema: body } } } };
}

/** The schema describes one line. */
const JSON_LINES = 'application/x-ndjson';

const fileContent = {
  '*/*': { schema: { type: 'string', format: 'binary' } },
  'multipart/form-data': {
    schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
  },
} satisfies ZodOpenApiContentObject;

const principalNames: Readonly<Record<PrincipalKind, string>> = {
  user: 'sessions of people',
  api_key: 'API keys',
  agent: "agents' keys",
  staff: 'staff keys',
  portal: 'portal sessions',
};

function accessText(access: GuardedAccess): string {
  const { principals, within, role, portal } = access;
  const scopes = neededScopes(access).map((scope) => `\`${scope}\``);
  const isOfOrganization = ['organization', 'person'].includes(within) || role === 'organization_admin';
  const place = isOfOrganization ? 'organization' : 'workspace';
  const sentences = [
    scopes.length > 0 &&
      `A limited credential requires the scope${scopes.length > 1 ? 's' : ''} ${scopes.join(' and ')}.`,
    tenantPrincipals.some((kind) => !principals.includes(kind)) &&
      `Accepts only ${principals.map((kind) => principalNames[kind]).join(' and ')}.`,
    portal !== undefined && `A portal session requires the right \`${portal}\`.`,
    role !== 'member' && `Requires the role of ${place} ${role === 'developer' ? 'developer' : 'admin'}.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

function securityOf({ principals, portal }: GuardedAccess) {
  const byKey = principals.some((kind) => kind !== 'user');
  const bySession = principals.includes('user');
  return [
    ...(byKey ? [{ apiKey: [] }] : []),
    ...(bySession ? [{ session: [] }, { accessToken: [] }] : []),
    ...(portal === undefined ? [] : [{ portalToken: [] }]),
  ];
}

function headerOf({ access, idempotent, eventStream: stream }: RouteDefinition) {
  const within = access.auth === 'none' ? undefined : access.within;
  const field = idField('workspace', 'The workspace of the request.');
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
  else responses[`${status}`] = file ? { ...success, content: fileOf(route) } : success;
  for (const [other, schema] of Object.entries(route.otherAnswers ?? {})) {
    responses[`${Number(other) as 500}`] = answer('The check failed.', schema, {});
  }
  for (const [errorStatus, codes] of byStatus(errorsOf(route))) {
    responses[`${errorStatus}`] ??= refusal(errorStatus, { codes, route });
  }
  return responses;
}

function fileOf({ lines }: RouteDefinition) {
  return lines ? { [JSON_LINES]: { schema: lines } } : { '*/*': fileContent['*/*'] };
}

function byStatus(codes: readonly ErrorCode[]) {
  return Map.groupBy(codes, (code) => statusByErrorCode[code]);
}

function refusal(
  status: number,
  { codes, route }: { codes: readonly ErrorCode[]; route: RouteDefinition },
): ZodOpenApiResponseObject {
  const [first, ...rest] = codes;
  if (first === undefined) throw new Error(`No code has the status ${status}`);
  const named = { statusCode: z.literal(status), code: z.enum([first, ...rest]) };
  const schema = errorSchema.extend(named);
  const headers = {
    ...requestIdHeader,
    ...(status === 401 && { 'WWW-Authenticate': { schema: { type: 'string' as const } } }),
    ...(status === 429 && rateLimitHeaders),
    ...(comesWithRetryAfter(status, codes) && { 'Retry-After': { schema: { type: 'string' as const } } }),
    ...(locatedStatuses.has(status) && locationHeader(route)),
  };
  return { description: codes.join(', '), headers, content: { 'application/json': { schema } } };
}

/** These errors may follow the creation of the resource. */
const locatedStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** With Retry-After if the time is known. */
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

function eventStream(schema: z.ZodObject): ZodOpenApiResponseObject {
  const { title = 'JSON', id = title } = schema.meta() ?? {};
  const description =
    `Server-sent events until one side closes the stream. The data of a \`delivery\` event is one ${id} in one line of ` +
    'JSON. To resume after an event, send its id as Last-Event-ID. A `closed` event with `{"reason"}` says why the ' +
    'server closes the stream. A comment line is sent every 15 s.';
  return {
    description,
    headers: requestIdHeader,
    content: { 'text/event-stream': { schema: z.string().meta({ description }) } },
  };
}

const requestIdHeader = {
  'x-request-id': { description: 'Identifies the request. Quote it to support.', schema: { type: 'string' as const } },
};

const rateLimitHeaders = {
  RateLimit: {
    description:
      'The remaining quota of the last counted limit, and the seconds until it resets. Also in successful responses.',
    schema: { type: 'string' as const },
  },
  'RateLimit-Policy': {
    description: 'The quota of that limit and the seconds of its window.',
    schema: { type: 'string' as const },
  },
};

function mapValues<Value, Mapped>(record: Readonly<Record<string, Value>>, map: (value: Value) => Mapped) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
