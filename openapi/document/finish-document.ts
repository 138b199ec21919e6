import { channelIds } from '../examples/field-values.ts';
import { deriveComponent, deriveExample, deriveObject, type ExampleWorld } from '../examples/derive-example.ts';
import type { JsonSchema } from '../examples/json-schema.ts';
import { operationValues } from '../examples/operation-values.ts';

/** The parts of a built document that are completed. */
interface Media {
  schema?: JsonSchema;
  example?: unknown;
  examples?: object;
}
interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: JsonSchema & { description?: string };
  description?: string;
  example?: unknown;
}
interface Operation {
  readonly operationId: string;
  parameters?: Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}
interface BuiltDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonSchema>> };
}

/** Adds examples to all bodies and parameters that have none, and describes parameters as their schemas are described. */
export function finishDocument<Document extends object>(built: Document): Document {
  // Copied, because responses of components and schemas are shared between documents.
  const document = JSON.parse(JSON.stringify(built)) as Document & BuiltDocument;
  for (const [path, item] of Object.entries({ ...document.paths, ...document.webhooks })) {
    const world = worldOf(path, document.components?.schemas ?? {});
    for (const operation of Object.values(item)) finishOperation(operation, world);
  }
  return document;
}

function worldOf(path: string, schemas: Readonly<Record<string, JsonSchema>>): ExampleWorld {
  const type = (['photoapp', 'pageapp'] as const).find((word) => path.includes(`/${word}/`)) ?? 'chatapp';
  return { schemas, channelId: channelIds[type], missing: () => undefined };
}

function finishOperation(
  { operationId, parameters = [], requestBody, responses }: Operation,
  world: ExampleWorld,
): void {
  for (const parameter of parameters) finishParameter(parameter, world);
  const values = operationValues[operationId];
  for (const media of Object.values(requestBody?.content ?? {}))
    finishMedia(media, { world, operationId, values: values?.request });
  for (const { content = {} } of Object.values(responses)) {
    if (content['text/event-stream']) content['text/event-stream'].example = eventExample(world);
    for (const media of Object.values(content)) finishMedia(media, { world, operationId, values: values?.response });
  }
}

function eventExample(world: ExampleWorld): string {
  const data = JSON.stringify(deriveComponent(world, 'DeliverySummary'));
  return `id: 48217-wd_Zk9Wq3Lt\nevent: delivery\ndata: ${data}\n\n`;
}

function finishParameter(parameter: Parameter, world: ExampleWorld): void {
  const { name, schema } = parameter;
  if (parameter.description === undefined && schema.description !== undefined) {
    parameter.description = schema.description;
    delete schema.description;
  }
  // Words of a closed list need no description for models, but linters want one.
  if (schema.enum) parameter.description ??= `Filters by ${name}.`;
  // A made-up cursor is refused, and references fill requests with the examples.
  if (name === 'cursor') return;
  const example = deriveExample(world, schema, { component: 'parameter', field: name });
  if (example !== undefined) parameter.example ??= example;
}

interface Place {
  readonly world: ExampleWorld;
  readonly operationId: string;
  readonly values: Readonly<Record<string, unknown>> | string | undefined;
}

function finishMedia(media: Media, place: Place): void {
  if (media.example !== undefined || media.examples || !media.schema) return;
  let isComplete = true;
  const world: ExampleWorld = { ...place.world, missing: () => (isComplete = false) };
  const example = exampleOf(media.schema, { ...place, world });
  if (isComplete && example !== undefined) media.example = example;
}

function exampleOf(schema: JsonSchema, { world, operationId, values }: Place): unknown {
  if (typeof values === 'string') return values;
  if (schema.$ref !== undefined) return deriveComponent(world, schema.$ref.split('/').at(-1) ?? '', values);
  if (schema.properties) return deriveObject(world, schema, { component: operationId, values: values ?? {} });
  return values ?? deriveExample(world, schema, { component: operationId, field: operationId });
}
