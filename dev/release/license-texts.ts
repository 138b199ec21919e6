import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../checks/source-files.ts';

/** Returns the licenses of the given installed packages, which must accompany copies of their code. */
export async function licenseTexts(names: readonly string[]): Promise<string> {
  const texts = await Promise.all(names.map(licenseText));
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

async function licenseText(name: string): Promise<string> {
  const folder = join(projectRoot, 'node_modules', name);
  const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const file = (await readdir(folder)).find((one) => /^licen[cs]e(?:\.\w+)?$/i.test(one));
  if (!file) throw new Error(`${name} has no license file. Find its license before you bundle it.`);
  const text = await readFile(join(folder, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
