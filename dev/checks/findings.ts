import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, sourceFiles } from './source-files.ts';

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
