import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { typeNames } from '../../workflows/workflow-types.ts';

const guide = readFileSync(join(projectRoot, 'docs/operators.md'), 'utf8');

/** Returns the rows of the table with this first heading, as lists of cells. */
function tableOf(heading: string): string[][] {
  const [, rows = ''] = new RegExp(`^\\| ${heading} +\\|.*\\n\\|[-| ]+\\n((?:\\|.*\\n)+)`, 'm').exec(guide) ?? [];
  const lines = rows.split('\n').filter((line) => line !== '');
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const idsIn = (cell: string): string[] => [...cell.matchAll(/`([a-z-]+)/g)].map(([, id]) => id!.replace(/-$/, ''));

test('the tables of workflows name every type', (t) => {
  const rows = tableOf('Workflow id');
  const types = rows.map(([, type = '']) => type.replaceAll('`', ''));
  t.deepEqual(types.toSorted(), typeNames.toSorted());

  const ids = new Set(rows.flatMap(([id = '']) => idsIn(id)));
  const acted = new Set(tableOf('Workflow').flatMap(([id = '']) => idsIn(id)));
  t.deepEqual([...acted].toSorted(), [...ids].toSorted());
});
