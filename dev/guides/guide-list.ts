import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Guide {
  /** Path in the repository. */
  readonly source: string;
  /** Path below `/guides/`, without a suffix. */
  readonly page: string;
  readonly title: string;
  /** Continues "Read it to". */
  readonly purpose: string;
}

export interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
}

const DECISIONS = 'docs/adr';
const pagesOutside: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog',
  'bench/README.md': 'benchmarks',
  [DECISIONS]: 'adr/index',
};

/** Returns the groups and rows of `docs/README.md`, which is the only list of the guides. */
export async function readGuideGroups(root: string): Promise<readonly GuideGroup[]> {
  const list = await readFile(join(root, 'docs/README.md'), 'utf8');
  const sections = list.split(/^## /m).slice(1);
  const groups = await Promise.all(
    sections.map(async (section) => {
      const title = section.slice(0, section.indexOf('\n')).trim();
      const rows = [...section.matchAll(/^\| \[[^\]]+\]\(([^)]+)\) +\| ([^|]+) \|$/gm)];
      return {
        title,
        guides: await Promise.all(rows.map(([, link = '', purpose = '']) => guideOf(root, link, purpose))),
      };
    }),
  );
  return groups.filter(({ guides }) => guides.length > 0);
}

async function guideOf(root: string, link: string, purpose: string): Promise<Guide> {
  const source = join('docs', link);
  const isDecisions = source === DECISIONS;
  const title = isDecisions ? 'Design decisions' : titleOf(await readFile(join(root, source), 'utf8'));
  return { source, page: pagesOutside[source] ?? link.replace(/\.md$/, ''), title, purpose: purpose.trim() };
}

/** Returns the first heading of a page. */
export function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? 'Guide';
}
