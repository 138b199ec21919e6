import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addressMarks } from '../../contract/guides.ts';
import { readGuideGroups } from './guide-list.ts';

interface Sources {
  readonly root: string;
  readonly pages: string;
  readonly output: string;
}

/** Writes each page as Markdown next to its HTML, and a list of them for agents. */
export async function writeMarkdown({ root, pages, output }: Sources): Promise<void> {
  const names = (await readdir(pages, { recursive: true })).filter(
    (name) => name.endsWith('.md') && name !== 'index.md',
  );
  for (const name of names) {
    const path = join(output, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, plainMarkdown(await readFile(join(pages, name), 'utf8')));
  }
  await writeFile(join(output, 'llms.txt'), await listForAgents(root));
}

function plainMarkdown(text: string): string {
  return text
    .replace(/^---\n[\s\S]*?\n---\n+/, '')
    .replace(/^::: tip (.+)$/gm, '> **$1**')
    .replace(/^:::\n/gm, '')
    .replace(/<a id="[^"]*"><\/a>/g, '')
    .replace(/\]\(\/([^)#]*)(#[^)]*)?\)/g, (_, page: string, hash = '') =>
      page === '' ? '](/guides/llms.txt)' : `](/guides/${page.replace(/\/$/, '/index')}.md${hash})`,
    );
}

async function listForAgents(root: string): Promise<string> {
  const groups = await readGuideGroups(root);
  const { api } = addressMarks;
  const sections = groups.map(({ title, guides }) => {
    const rows = guides.map(
      (guide) => `- [${guide.title}](${api}/guides/${guide.page}.md): read it to ${guide.purpose}`,
    );
    return `## ${title}\n\n${rows.join('\n')}\n`;
  });
  return [
    '# Messaging channels',
    '> Receive, send and manage the events of messaging channels through one API, with signed webhook deliveries.',
    `An agent gets a key by the steps in [auth.md](${api}/auth.md). The [OpenAPI document](${api}/openapi.json) describes`,
    `every operation; the same operations are Model Context Protocol tools at ${api}/mcp.`,
    '',
    ...sections,
  ].join('\n');
}
