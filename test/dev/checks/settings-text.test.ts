import test from 'ava';
import { settings } from '../../../process/settings.ts';
import { envExample, settingsMarkers, withSettings } from '../../../dev/checks/generated-texts.ts';

const table = Object.values(settings);

test('the example file and the document list every setting', (t) => {
  const example = envExample(table);
  const document = withSettings(`# Title\n${settingsMarkers}\nEnd`, table) ?? '';

  for (const { name } of table) {
    t.true(example.includes(`#${name}=`), name);
    t.true(document.includes(`\`${name}\``), name);
  }
});

test('the document has one line for the settings of npm start', (t) => {
  const document = withSettings(`# Title\n${settingsMarkers}\nEnd`, table) ?? '';
  const lines = document.split('\n').filter((line) => line.includes('only for `npm start`'));

  t.is(lines.length, 1);
  t.true(lines[0]!.startsWith('- `SIMULATOR_PORT`, `RECEIVER_PORT`, '));
  t.false(lines[0]!.includes('`API_PORT`'));
});

test('brackets have the readers of a setting and its default', (t) => {
  const document = withSettings(`# Title\n${settingsMarkers}\nEnd`, table) ?? '';

  t.true(document.includes('\n- `API_PORT` (api; `3000`): '));
  t.true(document.includes('\n- `DATABASE_READ_URL` (api; secret): '));
  t.true(document.includes('\n- `TEMPORAL_UI_URL` (api): '));
  t.true(document.includes('\n- `EGRESS_ALLOW_CIDRS` (api, worker): '));
});

test('writing the settings twice changes nothing else', (t) => {
  const once = withSettings(`# Title\n${settingsMarkers}\nEnd`, table) ?? '';

  t.is(withSettings(once, table), once);
  t.true(once.startsWith('# Title\n') && once.endsWith('\nEnd'));
});

test('a document without the markers is rejected', (t) => {
  t.is(withSettings('# Title', table), undefined);
});
