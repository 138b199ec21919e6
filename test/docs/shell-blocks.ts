import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../dev/checks/source-files.ts';

export interface ShellBlock {
  /** Below the project folder. */
  readonly page: string;
  /** Of its first command. */
  readonly line: number;
  /** The text of the heading above it. */
  readonly heading: string;
  readonly code: string;
}

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'shell', 'console']);

function readPage(page: string): string {
  return readFileSync(join(projectRoot, page), 'utf8');
}

/** Returns the shell blocks of a page in their order. Blocks in lists are indented. */
export function shellBlocksOf(page: string): ShellBlock[] {
  return shellBlocksIn(readPage(page), page);
}

export function shellBlocksIn(text: string, page = ''): ShellBlock[] {
  const blocks: ShellBlock[] = [];
  let heading = '';
  let open: { readonly indent: string; readonly language: string; readonly line: number; code: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, indent = '', language] = /^( *)```(\w*)/.exec(line) ?? [];
    if (open && language !== undefined) {
      const { code, line: first } = open;
      if (shells.has(open.language)) blocks.push({ page, line: first, heading, code: `${code.join('\n')}\n` });
      open = undefined;
    } else if (language !== undefined) open = { indent, language, line: index + 2, code: [] };
    else if (open) open.code.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    else heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
  }
  return blocks;
}
