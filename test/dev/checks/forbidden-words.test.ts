import test from 'ava';
import { forbiddenWords } from '../../../dev/checks/words.ts';

// Assembled here, because this file is checked as well.
const product = ['whats', 'app'].join('');
const home = ['', 'home', 'someone', 'file'].join('/');

const rules = (path: string, text: string): string[] => forbiddenWords({ path, text }).map(({ rule }) => rule);

test('an upstream product name is found outside its folders', (t) => {
  for (const path of ['api/x.ts', 'README.md', 'contract/x.ts']) {
    t.deepEqual(rules(path, `const a = '${product}';`), ['an upstream product name']);
  }
});

test('an upstream product name is allowed as data in its folders', (t) => {
  t.deepEqual(rules('platform/webhooks/wire.ts', `const a = ['${product}', \`${product} \${1}\`];`), []);
  t.deepEqual(rules('test/simulator/body.json', `{"object":"${product}"}`), []);
});

test('an upstream product name is never an identifier, comment or path', (t) => {
  t.deepEqual(rules('platform/webhooks/wire.ts', `const ${product} = 1;`), ['an upstream product name']);
  t.deepEqual(rules('platform/webhooks/wire.ts', `// for ${product}\nconst a = 1;`), ['an upstream product name']);
  t.deepEqual(rules(`platform/${product}.ts`, ''), ['an upstream product name in the path']);
});

test("a machine's path and a registry host are found with their line", (t) => {
  t.deepEqual(forbiddenWords({ path: 'docs/x.md', text: `one\nsee ${home}` }), [{ line: 2, rule: "a machine's path" }]);
  t.deepEqual(rules('docs/x.md', `https://${['registry', 'example', 'org'].join('.')}/`), ['a registry host']);
});

test('route paths are permitted', (t) => {
  t.deepEqual(rules('api/x.ts', "router.get('/organizations/:org/workspaces'); fetch(`${base}/work/1`)"), []);
});
