import test from 'ava';
import { crumbs, importsOf, mutualFolders, wideFolders } from '../../../dev/checks/folders.ts';

const filesIn = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${folder}/file-${index}.ts`);

test('a folder with 26 entries is too wide', (t) => {
  t.deepEqual(wideFolders(filesIn('api/people', 25)), []);
  t.deepEqual(wideFolders(filesIn('api/people', 26)), ['api/people: 26 entries, more than 25. Group them by noun.']);
});

test('a subfolder counts as one entry', (t) => {
  t.deepEqual(wideFolders([...filesIn('api', 24), ...filesIn('api/people', 20)]), []);
  t.is(wideFolders([...filesIn('api', 25), ...filesIn('api/people', 20)]).length, 1);
});

test('the root, migrations and decisions may be wide', (t) => {
  t.deepEqual(wideFolders([...filesIn('db/migrations', 30), ...filesIn('docs/adr', 30), ...filesIn('x', 1)]), []);
});

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

test('a short file with one importer is reported', (t) => {
  const lineCounts = new Map([
    ['api/short.ts', 14],
    ['api/long.ts', 15],
    ['api/shared.ts', 3],
    ['db/migrations/0001-first.ts', 5],
  ]);
  const imports = [
    ['api/app.ts', 'api/short.ts'],
    ['api/app.ts', 'api/long.ts'],
    ['api/app.ts', 'api/shared.ts'],
    ['api/main.ts', 'api/shared.ts'],
    ['db/migrate.ts', 'db/migrations/0001-first.ts'],
  ] as const;
  t.deepEqual(crumbs(lineCounts, imports), ['api/short.ts: 14 lines, imported by api/app.ts alone. Merge it.']);
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
