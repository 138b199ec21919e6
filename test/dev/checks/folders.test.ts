import test from 'ava';
import { importsOf, mutualFolders } from '../../../dev/checks/folders.ts';

test('folders of one layer must not import each other', (t) => {
  const imports = [
    ['api/people/a.ts', 'api/access/b.ts'],
    ['api/access/c.ts', 'api/people/d.ts'],
  ] as const;
  const [finding, ...others] = mutualFolders(imports);
  t.regex(finding ?? '', /^api\/access and api\/people import each other/);
  t.deepEqual(others, []);
  t.deepEqual(mutualFolders(imports.slice(0, 1)), []);
});

test('imports, re-exports, types and dynamic imports all count', (t) => {
  const text =
    "import { a } from './a.ts';\nimport type { B } from '../b.ts';\nexport { c } from './c.ts';\n" +
    "await import('./d.ts');\nimport koa from 'koa';\n";
  const known = new Set(['api/a.ts', 'b.ts', 'api/c.ts', 'api/d.ts']);
  t.deepEqual(
    importsOf({ path: 'api/x.ts', text }, known).map(([, imported]) => imported),
    ['api/a.ts', 'b.ts', 'api/c.ts', 'api/d.ts'],
  );
});
