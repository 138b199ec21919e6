import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, sourceFiles } from './source-files.ts';

const sizes = sourceFiles(/\.ts$/)
  .map((path) => ({ path, lineCount: readFileSync(join(projectRoot, path), 'utf8').trimEnd().split('\n').length }))
  .sort((one, other) => other.lineCount - one.lineCount);

const median = sizes[Math.floor(sizes.length / 2)]?.lineCount ?? 0;
console.log(`${sizes.length} TypeScript files, median ${median} lines (budget 90), the largest:`);
for (const { path, lineCount } of sizes.slice(0, 5)) console.log(`${String(lineCount).padStart(6)}  ${path}`);
