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

test('writing the settings twice changes nothing else', (t) => {
  const once = withSettings(`# Title\n${settingsMarkers}\nEnd`, table) ?? '';

  t.is(withSettings(once, table), once);
  t.true(once.startsWith('# Title\n') && once.endsWith('\nEnd'));
});

test('a document without the markers is rejected', (t) => {
  t.is(withSettings('# Title', table), undefined);
});
