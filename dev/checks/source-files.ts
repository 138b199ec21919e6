import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

const ignored = /^(?:node_modules|\.git|\.data|\.env|\.build|dist)$|\.log$/;

export function sourceFiles(pattern: RegExp): string[] {
  return filesIn('')
    .filter((path) => pattern.test(path))
    .sort();
}

function filesIn(folder: string): string[] {
  return readdirSync(projectRoot + folder, { withFileTypes: true }).flatMap((entry) => {
    if (ignored.test(entry.name)) return [];
    if (entry.isDirectory()) return filesIn(`${folder}${entry.name}/`);
    return entry.isFile() ? [folder + entry.name] : [];
  });
}

export interface Finding {
  readonly line: number;
  readonly rule: string;
}

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

export function reportFindings(pattern: RegExp, check: (file: SourceText) => readonly Finding[]): void {
  for (const path of sourceFiles(pattern)) {
    const text = readFileSync(join(projectRoot, path), 'utf8');
    for (const { line, rule } of check({ path, text })) {
      console.error(`${path}:${line}: ${rule}`);
      process.exitCode = 1;
    }
  }
}
