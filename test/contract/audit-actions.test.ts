import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { auditActions } from '../../contract/audit-actions.ts';

const root = join(import.meta.dirname, '../..');

test('the list of audit actions has every action of the sources', async (t) => {
  const found = new Set<string>();
  for await (const path of glob('{activities,admin,api,db}/**/*.ts', { cwd: root })) {
    const source = readFileSync(join(root, path), 'utf8');
    for (const [, action = ''] of source.matchAll(/action: '(\w+\.\w+)'/g)) found.add(action);
  }
  t.true(found.size > 60);
  t.deepEqual(
    [...found].filter((action) => !auditActions.some((one) => one === action)),
    [],
  );
});

test('audit actions are listed once and in order', (t) => {
  t.deepEqual([...new Set(auditActions)].toSorted(), [...auditActions]);
});
