import test from 'ava';
import { languageFindings } from '../../../dev/checks/language.ts';

// Assembled here, because this file is checked as well.
const word = ['some', 'body'].join('');
const verb = ['goes', 'on'].join(' ');

const findingsIn = (text: string, path = 'api/x.ts'): string[] =>
  languageFindings({ path, text }).map(({ line, rule }) => `${line}: ${rule.split(';')[0]}`);

test('avoided words are found in comments, texts and Markdown', (t) => {
  const found = [`2: avoid “${word}”`];
  t.deepEqual(findingsIn(`const a = 1;\n// ${word} waits\n`), found);
  t.deepEqual(findingsIn(`/**\n * ${word} waits\n */\n`), found);
  t.deepEqual(findingsIn(`const a = 1;\nthrow new Error('for ${word}');\n`), found);
  t.deepEqual(findingsIn(`\nconst a = \`\${name} for ${word}\`;\n`), found);
  t.deepEqual(findingsIn(`\nconst a = <p>for ${word}</p>;\n`, 'dashboard/x.tsx'), found);
  t.deepEqual(findingsIn(`# Title\nIt is for ${word}.\n`, 'docs/x.md'), found);
});

test('phrases of several words are found', (t) => {
  t.deepEqual(findingsIn(`// The pump ${verb}.`), [`1: avoid “${verb}”`]);
});

test('data, code spans and email addresses are not prose', (t) => {
  t.deepEqual(findingsIn(`const user = '${word}';`), []);
  t.deepEqual(findingsIn(`// runs as \`${word}\`, or ${word}@example.com`), []);
  t.deepEqual(findingsIn(`const ${word} = 1;`), []);
});

test('a test title has at most 12 words', (t) => {
  const title = (wordCount: number): string => `test('${Array(wordCount).fill('word').join(' ')}', (t) => t.pass());`;
  t.deepEqual(findingsIn(title(12), 'test/x.test.ts'), []);
  t.deepEqual(findingsIn(title(13), 'test/x.test.ts'), ['1: the title has 13 words, more than 12']);
  t.deepEqual(findingsIn(title(13).replace('test(', 'test.serial('), 'test/x.test.ts').length, 1);
});

test('an expression in a title counts as one word', (t) => {
  const title = 'test(`${kinds.map((kind) => kind.name)} a b c d e f g h i j k`, (t) => t.pass());';
  t.deepEqual(findingsIn(title, 'test/x.test.ts'), []);
});

test('a log event is a noun and a past participle', (t) => {
  for (const event of ['circuit.signalFailed', 'delivery.attempted', 'mail.sent', 'container.publishSent']) {
    t.deepEqual(findingsIn(`log.info('${event}');`), []);
  }
  for (const event of ['started', 'credential.due', 'mail.unsent', 'Delivery failed']) {
    t.is(findingsIn(`deps.log.warn('${event}');`).length, 1, event);
  }
});
