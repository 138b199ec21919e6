import test from 'ava';
import { shortName } from '../../../openapi/document/short-name.ts';
import { statusByErrorCode } from '../../../contract/errors.ts';
import { tagGroups } from '../../../openapi/definitions/tags.ts';
import { errorsOf } from '../../../openapi/definitions/route-definition.ts';
import { openApiDocument } from '../../../openapi/document/open-api-document.ts';
import { routes } from '../../../openapi/route-table.ts';
import { generatorDocument } from '../../../dev/release/generator-document.ts';
import { baseUrl } from '../../harness/api/api.ts';

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}
interface Response {
  readonly description: string;
  readonly content: { readonly 'application/json': { readonly schema: object; readonly examples: object } };
}
interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

const document = openApiDocument({ baseUrl, deployment: 'production' }) as unknown as Document;
const operations = [document.paths, document.webhooks].flatMap((items) =>
  Object.values(items).flatMap((item) => Object.values(item)),
);

test('every operation has one tag, a summary and a description', (t) => {
  const names = tagGroups.flatMap(({ tags }) => Object.keys(tags));
  t.deepEqual(document.tags.map(({ name }) => name), names); // prettier-ignore
  for (const { operationId, tags, summary, description } of operations) {
    t.is(tags.length, 1, operationId);
    t.true(names.includes(tags[0] ?? ''), operationId);
    t.truthy(summary, operationId);
    t.truthy(description, operationId);
  }
  t.deepEqual(names.filter((name) => !operations.some(({ tags }) => tags[0] === name)), []); // prettier-ignore
  t.is(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
});

test('names of operations are short, and unique in their chapter', (t) => {
  const named = operations.map(({ tags, summary }) => `${tags[0]}: ${summary}`);
  t.is(new Set(named).size, named.length);
  for (const { operationId } of routes) t.true(shortName(operationId).split(' ').length <= 7, operationId);
});

test('every route says more than its summary', (t) => {
  for (const { operationId, description, remarks } of routes) t.truthy(description ?? remarks, operationId);
});

test('public operations have an empty list of credentials', (t) => {
  for (const { operationId, access, path, method } of routes) {
    const { security } = document.paths[path]![method]!;
    t.is((security?.length ?? -1) === 0, access.auth === 'none', operationId);
  }
});

test('all errors share one schema, and name their codes', (t) => {
  for (const route of routes) {
    const { responses } = document.paths[route.path]![route.method]!;
    for (const code of errorsOf(route)) {
      const status = statusByErrorCode[code];
      if (route.otherAnswers?.[status]) continue;
      const name = responses[status]?.$ref?.replace('#/components/responses/', '') ?? '';
      const response = document.components.responses[name];
      const media = response?.content['application/json'];
      t.deepEqual(media?.schema, { $ref: '#/components/schemas/Error' }, route.operationId);
      t.true(code in (media?.examples ?? {}) && response?.description.includes(code), `${route.operationId} ${code}`);
    }
  }
});

test('the document for generators differs only in what they cannot read', (t) => {
  const served = JSON.stringify(openApiDocument({ baseUrl: 'https://channels.example.com', deployment: 'production' }));
  const adapted = JSON.stringify(generatorDocument());
  t.true(adapted.length > served.length * 0.95);
  t.false(adapted.includes('"*/*"'));
});

test('the document has the version of the specification', (t) => {
  t.is(openApiDocument({ baseUrl: 'https://api.example.com', deployment: 'production' }).info.version, '1.0.0');
});

test('no object has two properties with one name in a program', (t) => {
  const served = JSON.stringify(openApiDocument({ baseUrl: 'https://api.example.com', deployment: 'production' }));
  const twins: string[] = [];
  JSON.parse(served, (_key, value: unknown) => {
    const names = isObject(value) && isObject(value['properties']) ? Object.keys(value['properties']) : [];
    const plain = names.map((name) => name.replaceAll('_', '').toLowerCase());
    twins.push(...names.filter((_name, index) => plain.indexOf(plain[index]!) !== index));
    return value;
  });
  t.deepEqual(twins, []);
});

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
