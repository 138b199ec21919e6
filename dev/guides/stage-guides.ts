import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { addressMarks } from '../../contract/guides.ts';
import { type Guide, type GuideGroup, readGuideGroups, titleOf } from './guide-list.ts';
import { exampleAnchor, rewritePage, withVariables } from './rewrite-page.ts';

const DECISIONS = 'docs/adr';
const EXAMPLES = 'docs/examples';
const languages: Readonly<Record<string, string>> = { '.mjs': 'js', '.py': 'python', '.go': 'go', '.java': 'java' };

/** What the generator's configuration reads. */
export interface GuideSite {
  readonly groups: readonly { readonly text: string; readonly items: readonly SiteLink[] }[];
}
interface SiteLink {
  readonly text: string;
  readonly link: string;
}

interface Staging {
  readonly root: string;
  readonly folder: string;
}

/** Writes the sources of the site: a page for each guide, and pages that only the site has. */
export async function stageGuides({ root, folder }: Staging): Promise<void> {
  const groups = await readGuideGroups(root);
  const decisions = (await readdir(join(root, DECISIONS))).filter((name) => name.endsWith('.md')).sort();
  const guides = groups.flatMap((group) => group.guides);
  const pages = new Map([
    ['README.md', 'index'],
    ['docs/README.md', 'index'],
    ...guides.map(({ source, page }): [string, string] => [source, page]),
    ...decisions.map((name): [string, string] => [`${DECISIONS}/${name}`, `adr/${name.replace(/\.md$/, '')}`]),
  ]);
  const put = async (page: string, text: string): Promise<void> => {
    const path = join(folder, 'pages', `${page}.md`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
  for (const guide of guides.filter(({ source }) => source !== DECISIONS)) {
    await put(
      guide.page,
      guidePage(guide, rewritePage({ source: guide.source, text: await read(guide.source), pages })),
    );
  }
  for (const name of decisions) {
    const source = `${DECISIONS}/${name}`;
    const text = rewritePage({ source, text: await read(source), pages });
    await put(`adr/${name.replace(/\.md$/, '')}`, `${hiddenFromSearch}${text}`);
  }
  await put('adr/index', await decisionsPage(decisions, read));
  await put('examples', await examplesPage(root));
  await put('index', homePage(groups));
  await cp(join(root, 'docs/pictures'), join(folder, 'pages/pictures'), { recursive: true });
  await writeFile(join(folder, 'site.json'), JSON.stringify(siteOf(groups)));
}

const hiddenFromSearch = '---\nsearch: false\n---\n\n';

function guidePage({ page, purpose }: Guide, text: string): string {
  const isHidden = page === 'changelog' || page === 'benchmarks';
  const head = `---\ndescription: ${JSON.stringify(`Read this guide to ${purpose}.`)}\nsearch: ${!isHidden}\n---\n\n`;
  const hasValues = page !== 'tour' && page !== 'settings' && !isHidden;
  const entries = page === 'errors' ? withErrorAnchors(text) : text;
  return head + (hasValues ? withVariables(entries) : entries);
}

/** Error answers link to the entry of their code. */
function withErrorAnchors(text: string): string {
  return text.replace(
    /^- `([A-Z][A-Z0-9_]+)`:/gm,
    (_, code: string) => `- <a id="${code.toLowerCase()}"></a>\`${code}\`:`,
  );
}

async function decisionsPage(names: readonly string[], read: (path: string) => Promise<string>): Promise<string> {
  const rows = await Promise.all(
    names.map(async (name) => {
      const title = titleOf(await read(`${DECISIONS}/${name}`));
      return `- [${title.replace(/^(\d+)\./, '$1\\.')}](./${name})`;
    }),
  );
  return `${hiddenFromSearch}# Design decisions\n\nWhy the service is built as it is, oldest first.\n\n${rows.join('\n')}\n`;
}

async function examplesPage(root: string): Promise<string> {
  const files = await readdir(join(root, EXAMPLES), { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .sort();
  const sections = await Promise.all(
    paths.map(async (path) => {
      const source = path.slice(join(root, '/').length);
      const name = source.slice(EXAMPLES.length + 1);
      const code = await readFile(path, 'utf8');
      const language = languages[extname(path)] ?? 'sh';
      return `## ${name} {#${exampleAnchor(source)}}\n\n\`\`\`\`${language}\n${code.trimEnd()}\n\`\`\`\`\n`;
    }),
  );
  return `# Examples\n\nComplete programs to copy. Each one runs in a test of the service.\n\n${sections.join('\n')}`;
}

function homePage(groups: readonly GuideGroup[]): string {
  const sections = groups.map(({ title, guides }) => {
    const cards = guides.map(({ page, title: name, purpose }) => {
      const href = `/guides/${page.replace(/index$/, '')}`;
      return `<li><a class="guide-card" href="${href}"><strong>${capitalized(purpose)}</strong><span>${name}</span></a></li>`;
    });
    return `## ${title}\n\n<ul class="guide-cards">${cards.join('')}</ul>\n`;
  });
  const head =
    '---\nsearch: false\nsidebar: false\naside: false\nprev: false\nnext: false\npageClass: guides-home\n---\n\n';
  return `${head}# What do you want to do?\n\n${addresses}\n${sections.join('\n')}`;
}

const addresses = `The addresses in these guides are those of this installation: the API is at \`${addressMarks.api}\`, the gateway
at \`${addressMarks.gateway}\`. Each guide is also Markdown, for agents: [llms.txt](/guides/llms.txt){target="_self"}.
`;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function siteOf(groups: readonly GuideGroup[]): GuideSite {
  const site = groups.map(({ title, guides }) => ({
    text: title,
    items: guides.map((guide) => ({ text: guide.title, link: `/${guide.page.replace(/index$/, '')}` })),
  }));
  return {
    groups: site.map((group) =>
      group.text === 'Receive' ? { ...group, items: [...group.items, { text: 'Examples', link: '/examples' }] } : group,
    ),
  };
}
