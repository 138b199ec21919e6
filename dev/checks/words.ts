import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { forbiddenWords } from './forbidden-words.ts';
import { projectRoot, sourceFiles } from './source-files.ts';

/** Reads every text file of the project for words that must not be committed (see CONTRIBUTING.md). */
const textFile =
  /(?:^|\/)[^/]*\.(?:[cm]?[jt]s|json|md|ya?ml|sql|sh|html|css|txt|toml|tpl)$|(?:^|\/)(?:\.[\w.]+|\.ci\/run|Dockerfile)$/;

let findingCount = 0;
for (const path of sourceFiles(textFile)) {
  for (const { line, rule } of forbiddenWords({ path, text: readFileSync(join(projectRoot, path), 'utf8') })) {
    console.error(`${path}:${line} has ${rule}`);
    findingCount++;
  }
}
process.exitCode = findingCount === 0 ? 0 : 1;
