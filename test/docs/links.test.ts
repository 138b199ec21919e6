import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import test from 'ava';
import { routes } from '../../openapi/route-table.ts';
import { projectRoot, sourceFiles } from '../../dev/checks/source-files.ts';
import { curledRoutes, headingAnchors, isRouteOf, linksIn } from './markdown.ts';

const pages = sourceFiles(/^(?:README|CONTRIBUTING|CHANGELOG)\.md$|^docs\/.*\.md$|^bench\/[^/]*\.md$/);
const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

test('every link in the documents leads to a file and heading', (t) => {
  const broken = pages.flatMap((page) =>
    linksIn(read(page))
      .filter((link) => !leadsSomewhere(page, link))
      .map((link) => `${page}: ${link}`),
  );
  t.deepEqual(broken, []);
  t.true(pages.flatMap((page) => linksIn(read(page))).length > 20, 'finds the links');
});

test('every route that the documents call exists', (t) => {
  const named = pages.flatMap((page) => curledRoutes(read(page)).map((route) => ({ page, route })));
  const unknown = named.filter(({ route }) => !routes.some((one) => isRouteOf(one, route)) && !isUnlisted(route.path));
  t.deepEqual(unknown, []);
  t.true(named.length > 60, `finds the calls: ${named.length}`);
});

test('the index lists every guide', (t) => {
  const named = new Set(linksIn(read('docs/README.md')));
  const guides = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md');
  t.deepEqual(
    guides.filter((page) => !named.has(page.replace('docs/', ''))),
    [],
  );
});

test('every code block is closed and has a language', (t) => {
  for (const page of pages) {
    const fences = [...read(page).matchAll(/^ *```+(?!`)(.*)$/gm)].map(([, language = '']) => language);
    t.is(fences.length % 2, 0, `${page}: unclosed code block`);
    t.true(
      fences.every((language, index) => (index % 2 === 0) === language.length > 0),
      `${page}: code block without a language`,
    );
  }
});

test('curledRoutes finds method and path of each call', (t) => {
  const lines = [
    'hook="$BASE_URL/webhook-config/$CHANNEL"',
    'id=$(curl -s "$hook/hmac" -H "$auth" | grep x)',
    'curl -s -X POST "$hook/rotate-hmac" \\',
    "  -d '{}'",
    'curl -s "$BASE_URL/deliveries?scope=channel:$CHANNEL&limit=1"',
    `curl -s "$BASE_URL/deliverys" -d '{"a": 1}'`,
    'curl -s "$SIMULATOR_URL/control/events"',
  ];
  const calls = curledRoutes(['```sh', ...lines, '```', ''].join('\n'));
  t.deepEqual(
    calls.map(({ method, path }) => `${method} ${path}`),
    ['get /webhook-config/{}/hmac', 'post /webhook-config/{}/rotate-hmac', 'get /deliveries', 'post /deliverys'],
  );
  t.deepEqual(
    calls.map((call) => routes.some((one) => isRouteOf(one, call))),
    [true, true, true, false],
  );
});

test('linksIn and headingAnchors ignore code', (t) => {
  const text =
    '# A page\n\n## "It\'s `here`", 2x\n\n[a](b.md#c) `[no](no.md)` [far](https://example.com)\n\n```sh\n# [no](no.md)\n```\n';
  t.deepEqual(linksIn(text), ['b.md#c']);
  t.deepEqual(headingAnchors(text), ['a-page', 'its-here-2x']);
});

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#', 2);
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(projectRoot, target))) return false;
  if (anchor === undefined) return true;
  return statSync(join(projectRoot, target)).isFile() && headingAnchors(read(target)).includes(anchor);
}

/** The API serves these paths outside its route table. */
function isUnlisted(path: string): boolean {
  return /^\/(?:openapi\.json|docs|auth\.md|healthz|readyz|mcp|platform\/webhooks|connect\/|\.well-known\/)/.test(path);
}
