import test from 'ava';
import { settings } from '../../../process/settings.ts';
import { envExample, settingsMarkers, withSettings } from '../../../dev/checks/settings-text.ts';

const table = Object.values(settings);

test('every setting stands in the example file and in the document', (t) => {
  const example = envExample(table);
  const document = withSettings(`# Title\n${settingsMarkers}\nEnd`, table) ?? '';

  for (const { name } of table) {
    t.true(example.includes(`#${name}=`), name);
    t.true(document.includes(`\`${name}\``), name);
  }
});

test('writing the settings twice changes nothing and keeps the text around them', (t) => {
  const once = withSettings(`# Title\n${settingsMarkers}\nEnd`, table) ?? '';

  t.is(withSettings(once, table), once);
  t.true(once.startsWith('# Title\n') && once.endsWith('\nEnd'));
});

test('a document without the markers is refused', (t) => {
  t.is(withSettings('# Title', table), undefined);
});
