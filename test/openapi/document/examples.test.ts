import test from 'ava';
import { deriveComponent } from '../../../openapi/examples/derive-example.ts';
import { channelIds, idValues } from '../../../openapi/examples/field-values.ts';
import { componentValues } from '../../../openapi/examples/component-values.ts';
import { operationValues } from '../../../openapi/examples/operation-values.ts';
import type { JsonSchema } from '../../../openapi/examples/json-schema.ts';
import type { RouteDefinition } from '../../../openapi/definitions/route-definition.ts';
import { openApiDocument } from '../../../openapi/document/open-api-document.ts';
import { routes } from '../../../openapi/route-table.ts';
import { baseUrl } from '../../harness/api/api.ts';

interface Media {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
  readonly examples?: object;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Operation['responses'];
  };
}

const document = openApiDocument({ baseUrl, deployment: 'production' }) as unknown as Document;
const operations = Object.values({ ...document.paths, ...document.webhooks }).flatMap((item) => Object.values(item));
const ADD = 'Add its value to openapi/examples';

/** Bytes have no readable example. */
const isBinary = ({ schema }: Media): boolean => JSON.stringify(schema ?? {}).includes('"binary"');

test('every request and answer has an example', (t) => {
  for (const { operationId, requestBody, responses } of operations) {
    const bodies = [requestBody?.content ?? {}, ...Object.values(responses).map(({ content = {} }) => content)];
    for (const [type, media] of bodies.flatMap((content) => Object.entries(content))) {
      const has = media.example !== undefined || media.examples !== undefined;
      t.true(has || isBinary(media), `${operationId} has no example of ${type}. ${ADD}.`);
    }
  }
  for (const [name, { content = {} }] of Object.entries(document.components.responses))
    for (const media of Object.values(content)) t.truthy(media.examples, name);
});

test('every field of a schema has a value for examples', (t) => {
  const { schemas } = document.components;
  const missing = new Set<string>();
  const world = { schemas, channelId: channelIds.chatapp, missing: (field: string) => missing.add(field) };
  for (const name of Object.keys(schemas)) if (name !== 'Error') deriveComponent(world, name);
  t.deepEqual([...missing], [], ADD);
});

test('a nullable field without a value is missing in examples', (t) => {
  const field = { type: ['string', 'null'] };
  const missing: string[] = [];
  const world = {
    schemas: { Thing: { required: ['note', 'error'], properties: { note: field, error: field } } },
    channelId: channelIds.chatapp,
    missing: (name: string) => missing.push(name),
  };
  t.like(deriveComponent(world, 'Thing'), { error: null });
  t.deepEqual(missing, ['Thing.note']);
});

const channelTypeOf = ({ path }: RouteDefinition) =>
  (['photoapp', 'pageapp', 'chatapp'] as const).find((word) => path.includes(word)) ?? ('chatapp' as const);

function problemsOf(route: RouteDefinition, body: Readonly<Record<string, unknown>>): readonly string[] {
  const given = {
    query: {},
    body,
    channelType: channelTypeOf(route),
    hasWorkspace: true,
    nowMs: Date.UTC(2026, 0, 31),
  };
  return route.problems?.(given) ?? [];
}

for (const route of routes) {
  test(`the examples of ${route.operationId} fit its schemas`, (t) => {
    const { requestBody, responses } = document.paths[route.path]![route.method]!;
    const request = requestBody?.content['application/json']?.example;
    if (route.body) t.deepEqual(route.body.safeParse(request).error?.issues ?? [], []);
    t.deepEqual(problemsOf(route, (request ?? {}) as Record<string, unknown>), []);
    const answer = responses[route.success.status]?.content?.['application/json']?.example;
    if (route.success.body) t.deepEqual(route.success.body.safeParse(answer).error?.issues ?? [], []);
  });
}

test('every required parameter has an example', (t) => {
  for (const { operationId, parameters = [] } of operations)
    for (const { name, required, example } of parameters)
      if (required) t.not(example, undefined, `${name} of ${operationId}. ${ADD}.`);
});

test('one thing has the same id in all examples', (t) => {
  const known = new Set([...Object.values(idValues), ...Object.values(channelIds), 'ws_R2mXe7Vk']);
  const texts = operations.map((operation) => JSON.stringify(operation));
  const prefixes = Object.keys(idValues).join('|');
  const ids = texts.flatMap((text) => [...text.matchAll(new RegExp(`"((?:${prefixes})[A-Za-z0-9]{8})"`, 'g'))]);
  t.deepEqual([...new Set(ids.map(([, id = '']) => id))].filter((id) => !known.has(id)), []); // prettier-ignore
  t.true(ids.length > 500);
});

test('values of examples name schemas and operations that exist', (t) => {
  const { schemas } = document.components;
  const unknown = Object.entries(componentValues).filter(([name]) => !(name.split('.')[0]! in schemas));
  t.deepEqual(unknown, []);
  const ids = new Set(operations.map(({ operationId }) => operationId));
  t.deepEqual(Object.keys(operationValues).filter((id) => !ids.has(id)), []); // prettier-ignore
});
