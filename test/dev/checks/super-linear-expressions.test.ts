import { join } from 'node:path';
import test from 'ava';
import { ESLint } from 'eslint';
import { projectRoot } from '../../../dev/checks/source-files.ts';

const eslint = new ESLint({ cwd: projectRoot });

async function brokenRules(expression: string): Promise<(string | null)[]> {
  const text = `export const find = (text) => text.replaceAll(${expression}, '');\n`;
  const [result] = await eslint.lintText(text, { filePath: join(projectRoot, 'gateway', 'planted.js') });
  return [...new Set(result?.messages.map(({ ruleId }) => ruleId))];
}

for (const expression of [
  String.raw`/(\w*)\s*\{/g`,
  String.raw`/\s*\.\s*\w+\s*\([^(){}]*\)/g`,
  String.raw`/\[[^\]]*$/g`,
  String.raw`/\/+$/g`,
]) {
  test(`${expression} is rejected because its search is quadratic`, async (t) => {
    t.deepEqual(await brokenRules(expression), ['regexp/no-super-linear-move']);
  });
}

for (const expression of [String.raw`/^(?:a+)+$/g`, String.raw`/^\s*(.*?)\s*$/g`, String.raw`/^[^\n]*@[^\n]*$/g`]) {
  test(`${expression} is rejected because it backtracks`, async (t) => {
    t.true((await brokenRules(expression)).includes('regexp/no-super-linear-backtracking'));
  });
}

for (const expression of [String.raw`/\w+|\s+|[^]/g`, String.raw`/(?<!\/)\/+$/g`, String.raw`/^[\w.[\]-]{1,256}$/g`]) {
  test(`${expression} is accepted because it is linear`, async (t) => {
    t.deepEqual(await brokenRules(expression), []);
  });
}
