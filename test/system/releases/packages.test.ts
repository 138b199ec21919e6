import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { unpackLastRelease } from './unpacked-release.ts';

/** A package that the product no longer uses stays a development package until a later release is kept. */
test('this tree has every package of the last release', async (t) => {
  const { root, remove } = await unpackLastRelease();
  t.teardown(remove);
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const missing = Object.keys(dependencies).filter((name) => !existsSync(join(root, 'node_modules', name)));
  t.deepEqual(missing, []);
});
