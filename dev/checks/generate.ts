import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { settings } from '../../process/settings.ts';
import { writeClientTypes } from './client-types.ts';
import { envExample, readersYaml, settingsMarkers, withErrors, withEvents, withSettings } from './generated-texts.ts';
import { projectRoot } from './source-files.ts';
import { versionTexts } from './version-texts.ts';

/** With `--check`, only reports outdated files. */
const table = Object.values(settings);
const settingsPage = read('docs/settings.md');
const generated = {
  'docs/settings.md': withSettings(settingsPage, table),
  'docs/errors.md': withErrors(read('docs/errors.md')),
  'docs/events.md': await withEvents(read('docs/events.md')),
  '.env.example': envExample(table),
  ...versionTexts(read),
  'deploy/helm/messaging-channels/files/readers.yaml': readersYaml(table),
};

await writeClientTypes();
for (const [path, text] of Object.entries(generated)) {
  if (text === undefined)
    fail(`${path} has no generated section. Add its two markers where it belongs, such as:\n${settingsMarkers}`);
  else if (read(path) === text) continue;
  else if (process.argv.includes('--check')) fail(`${path} is out of date. Run \`npm run format\`.`);
  else write(path, text);
}

function read(path: string): string {
  const file = join(projectRoot, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function write(path: string, text: string): void {
  const file = join(projectRoot, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
