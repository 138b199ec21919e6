import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { buildReference } from '../../../dev/sites/build-reference.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

test('the API reference is built only after a change', async (t) => {
  const folder = await temporaryFolder(t);
  const manifestPath = join(folder, 'manifest.json');
  t.truthy(await buildReference({ folder }));
  t.is(await buildReference({ folder }), undefined);

  const manifest = JSON.parse(await readFile(manifestPath, 'utf8'));
  await writeFile(manifestPath, JSON.stringify({ ...manifest, inputs: 'others' }));
  t.truthy(await buildReference({ folder }));
});
