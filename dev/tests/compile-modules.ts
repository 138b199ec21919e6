import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Loads what the service's processes load. Node keeps compiled modules when a process exits, but tests kill theirs, so
 * that each would compile everything again, which takes a third of its start.
 */
const root = join(import.meta.dirname, '../..');
const specifiers = / from '(.+)';$/gm;

for (const name of ['api', 'gateway', 'worker']) {
  const text = readFileSync(join(root, name, 'main.ts'), 'utf8');
  for (const [, specifier = ''] of text.matchAll(specifiers))
    await import(specifier.startsWith('.') ? join(root, name, specifier) : specifier);
}
process.exit();
