import { readdirSync } from 'node:fs';
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
