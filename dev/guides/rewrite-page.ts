import { dirname, join } from 'node:path';
import { addressMarks, writtenAddresses } from '../../contract/guides.ts';

interface Page {
  /** Path in the repository. */
  readonly source: string;
  readonly text: string;
  /** Pages of the site by their path in the repository. */
  readonly pages: ReadonlyMap<string, string>;
}

/** Returns the Markdown of a page of the site: its links name pages of the site, its addresses are marks. */
export function rewritePage({ source, text, pages }: Page): string {
  const parts = text.split(/^(```[\s\S]*?^```$)/m);
  const rewritten = parts.map((part) => (part.startsWith('```') ? part : withSiteLinks(part, { source, pages })));
  return withMarks(rewritten.join(''));
}

/** Addresses of a server that runs on the reader's computer in any case are followed by another port. */
function withMarks(text: string): string {
  return Object.entries(writtenAddresses).reduce((marked, [written, name]) => {
    return marked.replace(new RegExp(`${written.replaceAll('.', '\\.')}(?![\\w.-])`, 'g'), addressMarks[name]);
  }, text);
}

function withSiteLinks(text: string, { source, pages }: Omit<Page, 'text'>): string {
  return text.replace(/(?<!!)\[([^[\]]*)\]\(([^)\s]+)\)/g, (link, label: string, target: string) => {
    if (/^(?:[a-z]+:|#)/.test(target)) return link;
    const [path = '', hash] = target.split('#');
    const page = sitePage(join(dirname(source), path), pages);
    // The reader has no repository.
    if (page === undefined) return label;
    return `[${labelOf(label)}](${page}${hash === undefined || page.includes('#') ? '' : `#${hash}`})`;
  });
}

/** A file name says nothing on a site without files. */
function labelOf(label: string): string {
  return label.replace(/^(?:docs\/)?([\w-]+)\.md$/, '$1').replaceAll('-', ' ');
}

function sitePage(path: string, pages: ReadonlyMap<string, string>): string | undefined {
  const page = pages.get(path);
  if (page !== undefined) return `/${page.replace(/(?:^|(?<=\/))index$/, '')}`;
  if (path === '.env.example') return '/settings';
  if (!path.startsWith('docs/examples')) return undefined;
  const name = path.split('/').at(-1) ?? '';
  return name.includes('.') ? `/examples#${exampleAnchor(path)}` : '/examples';
}

/** Returns the anchor of a file on the page of examples. */
export function exampleAnchor(path: string): string {
  return path
    .replace(/^docs\/examples\//, '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .toLowerCase();
}

const variables: Readonly<Record<string, string>> = {
  BASE_URL: addressMarks.api,
  GATEWAY_URL: addressMarks.gateway,
  SERVICE_API_KEY: 'hmok_…   # dashboard, API keys',
  SERVICE_ORGANIZATION_ID: 'org_…',
  SERVICE_WORKSPACE_ID: 'ws_…',
  CHATAPP_CHANNEL_ID: 'ch_…',
  CHATAPP_RESOURCE_ID: '…   # id of the number at the platform',
  PHOTOAPP_CHANNEL_ID: 'ch_…',
  PAGEAPP_CHANNEL_ID: 'ch_…',
  CHANNEL_TOKEN: 'hmat_…   # channels token CHANNEL --value',
};

/** Adds the values of the installation after the first paragraph, if commands of the page use them. */
export function withVariables(text: string): string {
  const commands = [...text.matchAll(/^```sh$([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('\n');
  const used = Object.entries(variables).filter(([name]) => new RegExp(`\\$\\{?${name}\\b`).test(commands));
  if (used.length === 0) return text;
  const lines = used.map(([name, value]) => `export ${name}=${value}`);
  const note = [
    '::: tip Values for this installation',
    'The commands on this page use variables. `.data/demo.env` sets them with `npm start`; here, set them yourself:',
    ...['', '```sh', ...lines, '```', ':::'],
  ].join('\n');
  return text.replace(/^(# .+\n\n(?:.+\n)+)/m, (start) => `${start}\n${note}\n`);
}
