import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '../../process/settings.ts';
import { clientTypes } from './client-types.ts';
import { envExample, settingsMarkers, withSettings } from './settings-text.ts';
import { projectRoot } from './source-files.ts';

/** Writes what is made from something else; with `--check` it only says whether it agrees. */
const table = Object.values(settings);
const readme = read('README.md');
const wanted = {
  'README.md': withSettings(readme, table),
  '.env.example': envExample(table),
  'client/api-types.ts': await clientTypes(),
};

for (const [path, text] of Object.entries(wanted)) {
  if (text === undefined)
    fail(`${path} has no place for the settings; put these two lines where they belong:\n${settingsMarkers}`);
  else if (read(path) === text) continue;
  else if (process.argv.includes('--check'))
    fail(`${path} does not agree with what it is made from; \`npm run format\` writes it`);
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
