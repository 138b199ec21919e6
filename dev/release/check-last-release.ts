import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseProblems } from './kept-release.ts';
import { projectRoot } from '../checks/source-files.ts';

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
const problems = await releaseProblems(version);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
