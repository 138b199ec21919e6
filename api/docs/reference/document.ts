import { tagGroups } from '../../../openapi/definitions/tags.ts';

/** The parts of the OpenAPI document that the reference shows. */
export interface ReferenceDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly examples: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly description?: string; readonly content: Content };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export type Content = Readonly<Record<string, Media>>;

export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown; readonly $ref?: string }>>;
}

interface Reference {
  readonly $ref: string;
}

export interface Response {
  readonly description: string;
  readonly content?: Content;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface PlacedOperation {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  /** A call that the reader receives, which has a name instead of a path. */
  readonly isReceived: boolean;
}

export interface Chapter {
  readonly name: string;
  readonly slug: string;
  readonly group: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-');

/** All pages. The start has the empty slug. Known without the document, which takes a quarter of a second to build. */
export const pageSlugs: ReadonlySet<string> = new Set([
  '',
  ...tagGroups.flatMap(({ tags }) => Object.keys(tags).map(slugOf)),
]);

/** Returns a chapter for each tag, in the order of the groups. */
export function chaptersOf(document: ReferenceDocument): readonly Chapter[] {
  const operations = [...placedIn(document.paths, false), ...placedIn(document.webhooks, true)];
  return tagGroups.flatMap(({ name: group, tags }) =>
    Object.entries(tags).map(([name, description]) => ({
      name,
      slug: slugOf(name),
      group,
      description,
      operations: operations.filter(({ operation }) => operation.tags.includes(name)),
    })),
  );
}

const methods: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

function placedIn(items: ReferenceDocument['paths'], isReceived: boolean): PlacedOperation[] {
  return Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => ({ operation, method, path, isReceived })),
  );
}

/** Returns the response, or the one that it refers to. */
export function resolvedResponse({ components }: ReferenceDocument, response: Response | Reference): Response {
  if (!('$ref' in response)) return response;
  return components.responses[response.$ref.split('/').at(-1) ?? ''] ?? { description: '' };
}
