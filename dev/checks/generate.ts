import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '../../process/settings.ts';
import { clientTypes } from './client-types.ts';
import { envExample, settingsMarkers, withSettings } from './settings-text.ts';
import { projectRoot } from './source-files.ts';

/** With `--check`, only reports outdated files. */
const table = Object.values(settings);
const settingsPage = read('docs/settings.md');
const generated = {
  'docs/settings.md': withSettings(settingsPage, table),
  '.env.example': envExample(table),
  'client/api-types.ts': await clientTypes(),
};

for (const [path, text] of Object.entries(generated)) {
  if (text === undefined)
    fail(`${path} has no section for the settings. Add these two lines where it belongs:\n${settingsMarkers}`);
  else if (read(path) === text) continue;
  else if (process.argv.includes('--check')) fail(`${path} is out of date. Run \`npm run format\`.`);
  else writeFileSync(join(projectRoot, path), text);
}

function read(path: string): string {
  const file = join(projectRoot, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
