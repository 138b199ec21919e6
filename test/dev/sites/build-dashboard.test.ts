import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import test from 'ava';
import { buildDashboard } from '../../../dev/sites/build-dashboard.ts';

/** One second at 1 Mbit/s. Dialogs, menus, tables, charts and the palette load on first use. */
const FIRST_LOAD_BUDGET_BYTES = 100_000;

/** Built once, because it takes seconds. The last test changes it. */
const building = build();
test.after.always(async () => {
  await rm((await building).folder, { recursive: true, force: true });
});

async function build() {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-dashboard-'));
  const built = await buildDashboard({ folder });
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  if (!built) throw new Error('The folder has a dashboard already');
  return { folder, built, manifest };
}

test.serial('a first visit loads few bytes', async (t) => {
  const { built } = await building;
  t.log(`${built.firstLoadBytes} bytes at first, ${built.totalBytes} in all`);
  t.true(built.firstLoadBytes < FIRST_LOAD_BUDGET_BYTES);
});

test.serial('the dashboard loads nothing from other origins', async (t) => {
  const { folder, manifest } = await building;
  const css = await readFile(join(folder, manifest.style), 'utf8');
  t.true(css.includes('Inter Variable'), 'the same font everywhere');
  t.notRegex(css, /@import|url\(["']?(https?:)?\/\//);
  for (const name of Object.keys(manifest.files)) {
    if (name.endsWith('.js')) t.notRegex(await readFile(join(folder, name), 'utf8'), /\beval\(|new Function\(/, name);
  }
});

test.serial('a build writes the files of its manifest and removes older ones', async (t) => {
  const { folder, manifest } = await building;
  for (const [name, encodings] of Object.entries<string[]>(manifest.files)) {
    t.regex(name, /-[A-Z0-9a-z]{8}\.(js|css|svg|woff2)$/);
    const plain = await readFile(join(folder, name));
    if (encodings.includes('br')) t.deepEqual(brotliDecompressSync(await readFile(join(folder, `${name}.br`))), plain);
    if (encodings.includes('gzip')) t.deepEqual(gunzipSync(await readFile(join(folder, `${name}.gz`))), plain);
  }
  for (const name of [manifest.script, manifest.theme, manifest.style, manifest.icon, ...manifest.preload])
    t.true(name in manifest.files);

  const before = await readdir(folder);
  await writeFile(join(folder, 'main-OLDOLDOL.js'), 'gone');
  t.is(await buildDashboard({ folder }), undefined, 'nothing changed');
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, inputs: 'others' }));
  await buildDashboard({ folder });
  t.deepEqual(await readdir(folder), before);
});
