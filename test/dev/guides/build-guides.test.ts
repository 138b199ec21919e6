import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { addressMarks, errorGuideUrl, guideLinkNames, guideUrl } from '../../../contract/guides.ts';
import { statusByErrorCode } from '../../../contract/errors.ts';
import { projectRoot, sourceFiles } from '../../../dev/checks/source-files.ts';
import { buildGuides } from '../../../dev/guides/build-guides.ts';
import { rewritePage, withVariables } from '../../../dev/guides/rewrite-page.ts';
import { builtGuides } from '../../harness/built-guides.ts';

interface BuiltSite {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  readonly files: Readonly<Record<string, boolean>>;
  readonly pages: readonly string[];
  readonly read: (name: string) => string;
  readonly leadsSomewhere: (address: string) => boolean;
}

function builtSite(folder: string): BuiltSite {
  const { inputs, files, scripts, styles } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    inputs: string;
    scripts: string[];
    styles: string[];
    files: Record<string, boolean>;
  };
  const read = (name: string): string => readFileSync(join(folder, inputs, name), 'utf8');
  const pages = Object.keys(files).filter((name) => name.endsWith('.html') && name !== '404.html');
  const anchors = new Map(
    pages.map((name) => [addressOf(name), new Set([...read(name).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const leadsSomewhere = (address: string): boolean => {
    const [path = '', anchor] = address.split('#');
    if (files[path.replace('/guides/', '')] !== undefined) return true;
    return anchor === undefined ? anchors.has(path) : anchors.get(path)?.has(decodeURIComponent(anchor)) === true;
  };
  return { scripts, styles, files, pages, read, leadsSomewhere };
}

function brokenLinks({ pages, read, leadsSomewhere }: BuiltSite): string[] {
  return pages.flatMap((name) =>
    [...read(name).matchAll(/ (?:href|src)="([^"]+)"/g)]
      .map(([, link = '']) => new URL(link, `https://site.test${addressOf(name)}`))
      .filter(({ origin, pathname, hash }) => origin === 'https://site.test' && !leadsSomewhere(pathname + hash))
      .map(({ pathname, hash }) => `${name}: ${pathname}${hash}`),
  );
}

test('the built guides have no broken link and few inline styles', async (t) => {
  const folder = await builtGuides();
  t.false(await buildGuides({ folder }), 'the second build uses the first');

  const site = builtSite(folder);
  t.true(site.pages.length > 60, `finds the pages: ${site.pages.length}`);
  t.deepEqual(brokenLinks(site), []);
  for (const name of site.pages)
    t.notRegex(site.read(name).replace(/>[^<]*/g, '>'), /<style|\son\w+="|javascript:/i, name);
  t.true(site.scripts.length <= 2 && site.styles.length <= 25, 'the header of the policy stays short');
  const named = [
    ...guideLinkNames.map((link) => guideUrl('', link)),
    ...Object.keys(statusByErrorCode).map((code) => errorGuideUrl('', code)),
  ];
  const unknown = named.filter((address) => !site.leadsSomewhere(address));
  t.deepEqual(unknown, [], 'guides named in code');
  t.true(site.read('client-libraries.html').includes(addressMarks.gateway));
  t.true(site.read('llms.txt').includes(`${addressMarks.api}/guides/receiving.md`));
  t.is(site.files['receiving.md'], true);
});

test('no text of the product names a file of docs', (t) => {
  const sources = sourceFiles(/^(?:activities|api|cli|client|contract|dashboard|gateway|openapi|packages)\/.*\.tsx?$/);
  const naming = sources.filter((path) =>
    readFileSync(join(projectRoot, path), 'utf8')
      .split('\n')
      .some((line) => /\bdocs\/[a-z-]+\.md\b/.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line)),
  );
  t.deepEqual(naming, []);
});

test('every path of the dashboard to a guide exists', (t) => {
  const sources = sourceFiles(/^(?:api|cli|dashboard)\/.*\.tsx?$/);
  const links = sources.flatMap((path) =>
    [...readFileSync(join(projectRoot, path), 'utf8').matchAll(/["'`]\/guides\/([a-z-]+)(?=["'`#])/g)].map(
      ([, page = '']) => page,
    ),
  );
  t.deepEqual(
    links.filter((page) => !existsSync(join(projectRoot, 'docs', `${page}.md`))),
    [],
  );
});

test('rewritePage links to pages and marks addresses outside defaults', (t) => {
  const pages = new Map([
    ['docs/events.md', 'events'],
    ['docs/README.md', 'index'],
    ['docs/adr/0001-x.md', 'adr/0001-x'],
  ]);
  const text = [
    '[events.md](events.md#types), [home](README.md), [ADR 1](adr/0001-x.md), [code](../api/app.ts), [here](#a)',
    'https://channels.example.com/docs, http://localhost:3000, http://127.0.0.1:30001',
    '```sh',
    'curl https://gateway.example.com/platform # [no](events.md)',
    '```',
  ].join('\n');
  t.is(
    rewritePage({ source: 'docs/a.md', text, pages }),
    [
      '[events](/events#types), [home](/), [ADR 1](/adr/0001-x), code, [here](#a)',
      `${addressMarks.api}/docs, http://localhost:3000, http://127.0.0.1:30001`,
      '```sh',
      `curl ${addressMarks.gateway}/platform # [no](events.md)`,
      '```',
    ].join('\n'),
  );
});

test('withVariables sets the variables that commands of a page use', (t) => {
  const page = '# A\n\nAn introduction.\n\n```sh\ncurl "$BASE_URL/x"\n```\n';
  t.true(withVariables(page).includes(`export BASE_URL=${addressMarks.api}\n`));
  t.false(withVariables(page).includes('GATEWAY_URL'));
  t.is(withVariables('# A\n\nNo command.\n'), '# A\n\nNo command.\n');
});

function addressOf(name: string): string {
  return `/guides/${dirname(name) === '.' ? '' : `${dirname(name)}/`}${name
    .split('/')
    .at(-1)!
    .replace(/(?:index)?\.html$/, '')}`;
}
