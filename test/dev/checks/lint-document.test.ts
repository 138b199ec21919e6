import test from 'ava';
import { lintDocument } from '../../../dev/checks/openapi-lint.ts';

const thing = {
  type: 'object',
  properties: { kind: { type: 'string', enum: ['a', 'b'] }, parts: { type: 'array', items: { type: 'string' } } },
};
const answer = { description: 'Fine.', content: { 'application/json': { schema: thing, example: { kind: 'a' } } } };
const operation = {
  operationId: 'getThing',
  summary: 'Get a thing',
  description: 'Returns a thing.',
  tags: ['things'],
  parameters: [{ name: 'id', in: 'path', required: true, description: 'Its id.', schema: { type: 'string' } }],
  responses: { 200: answer, 404: { description: 'Unknown.' } },
};
const document = {
  openapi: '3.1.0',
  info: { title: 'Sample', version: '1', description: 'A sample.' },
  servers: [{ url: 'https://channels.invalid' }],
  tags: [{ name: 'things', description: 'Things.' }],
  security: [{ key: [] }],
  paths: { '/things/{id}': { get: operation } },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
};

test('the linter accepts a document without faults', (t) => {
  t.is(lintDocument(document), undefined);
});

test('the linter names each rule that a document breaks', (t) => {
  const broken = { ...thing, properties: { kind: { type: 'string', enum: ['a', 'a', 3] }, parts: { type: 'array' } } };
  const example = { kind: 5 };
  const responses = { 200: { ...answer, content: { 'application/json': { schema: broken, example } } } };
  const { description: _, ...parameter } = operation.parameters[0]!;
  const { operationId: _id, ...unnamed } = operation;
  const found = lintDocument({
    ...document,
    info: { title: 'Sample', version: '1', description: '' },
    tags: [{ name: 'things' }],
    paths: {
      '/things/{id}': { get: { ...operation, responses, parameters: [parameter] } },
      '/things': { get: { ...unnamed, parameters: [], tags: [], description: 'Runs eval(1).' } },
      '/others/': {
        get: { ...operation, parameters: [], tags: ['things', 'others'], description: '<script>x</script>' },
      },
      '/last': { get: { ...operation, description: '', security: [{ other: [] }], responses: {}, callbacks: {} } },
    },
  });
  const rules = `
    no-duplicated-enum-values no-enum-type-mismatch no-invalid-media-type-examples no-path-trailing-slash
    no-unsafe-markdown operation-2xx-response operation-4xx-response operation-description operation-operationId
    operation-operationId-unique operation-singular-tag operation-tag-defined parameter-description
    path-parameters-defined rule/array-items rule/info-description rule/no-callbacks rule/no-eval rule/operation-tags
    security-defined tag-description`;
  for (const rule of rules.trim().split(/\s+/)) t.regex(found ?? '', new RegExp(`\\s${rule}\\s`), rule);
});
