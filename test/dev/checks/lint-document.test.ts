import test from 'ava';
import { lintDocument } from '../../../dev/checks/lint-document.ts';

const ok = { 200: { description: 'Fine.' } };

test('both linters find what is missing in a document', (t) => {
  const found = lintDocument({
    openapi: '3.1.0',
    info: { title: 'Sample', version: '1' },
    servers: [{ url: 'https://channels.invalid' }],
    paths: { '/things': { get: { responses: ok } } },
  });
  t.deepEqual([...found.keys()], ['redocly', 'spectral']);
  t.regex(found.get('redocly') ?? '', /operation-operationId|security-defined/);
  t.regex(found.get('spectral') ?? '', /operation-operationId/);
});
