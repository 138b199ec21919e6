import { z } from 'zod';
import type {
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
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
import { lastEventIdField } from '../deliveries/routes.ts';
import { errorResponses } from './error-responses.ts';
import { headerReference } from './headers.ts';
import { shortName } from './short-name.ts';
import { idempotencyKeyField, idField } from '../definitions/fields.ts';

export function operationOf(route: RouteDefinition): ZodOpenApiOperationObject {
  const { access } = route;
  return {
    operationId: route.operationId,
    summary: shortName(route.operationId),
    tags: [route.tag],
    description: descriptionOf(route),
    security: access.auth === 'credential' ? securityOf(access) : [],
    requestParams: {
      path: z.object(mapValues(route.parameters, parameterField)),
      ...(route.query && { query: route.query }),
      ...headerOf(route),
    },
    ...requestBodyOf(route),
    responses: responsesOf(route),
  };
}

function descriptionOf({ summary, description, remarks, access }: RouteDefinition): string {
  const sentences = [`${summary}.`, description, remarks, access.auth === 'credential' && accessText(access)];
  return sentences.filter(Boolean).join(' ');
}

function parameterField(parameter: PathParameter) {
  if (parameter.kind !== 'platformId') return idField(parameter.kind, `Id of the ${parameter.kind}.`);
  return z.string().regex(parameter.pattern).describe(parameter.description);
}

function requestBodyOf({ method, body, upload }: RouteDefinition): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (upload !== undefined) return { requestBody: { required: true, description: upload, content: fileContent } };
  if (!body) return {};
  return {
    requestBody: { required: !isBodyOptional({ method, body }), content: { 'application/json': { schema: body } } },
  };
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
  return { ...errorResponses(errorsOf(route), route.location), ...responses };
}

function fileOf({ lines, fileType }: RouteDefinition) {
  if (fileType !== undefined) return { [fileType]: { schema: z.string() } };
  return lines ? { [JSON_LINES]: { schema: lines } } : { '*/*': fileContent['*/*'] };
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
    content: { 'text/event-stream': { schema: z.string().describe(description) } },
  };
}

const requestIdHeader = { 'x-request-id': headerReference('RequestId') };

function mapValues<Value, Mapped>(record: Readonly<Record<string, Value>>, map: (value: Value) => Mapped) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
