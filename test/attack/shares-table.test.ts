import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createApiShares } from '../../api/requests/api-shares.ts';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { createAdmission } from '../../gateway/access/admission.ts';
import { defaultLimits } from '../../gateway/calls/deps.ts';
import { createBodyBudget } from '../../process/body-budget.ts';
import type { Shares } from '../../process/shares.ts';
import { createWorkerShares } from '../../worker/worker-shares.ts';

const page = readFileSync(join(projectRoot, 'docs/security.md'), 'utf8');
const [, section = ''] = page.split('<!-- shares:');
const [table = ''] = section.split('\n\n**');
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()));

const pools: Readonly<Record<string, Shares>> = {
  ...createApiShares(),
  ...createWorkerShares(),
  bodies: createBodyBudget().shares,
  calls: createAdmission(defaultLimits).underWay,
};

const count = (number: number): string => number.toLocaleString('en-US');

test('the table of shares has the numbers of the code', (t) => {
  for (const [pool, { numbers }] of Object.entries(pools)) {
    const row = rows.find(([, , name]) => name === `\`${pool}\``);
    const { inAll, perCredential, perOrganization } = numbers;
    t.deepEqual(row?.slice(3, 6), [inAll, perCredential, perOrganization].map(count), pool);
  }
});

test('bench/attack.md names an existing test of each share', (t) => {
  const lines = readFileSync(join(projectRoot, 'bench/attack.md'), 'utf8').split('\n');
  t.true(rows.length > 10);
  for (const [, shared] of rows) {
    const line = lines.find((one) => one.split('|')[1]?.trim() === shared) ?? '';
    const named = line.match(/test\/[\w/-]+\.test\.ts/g) ?? [];
    t.true(named.length > 0, shared);
    for (const path of named) t.true(existsSync(join(projectRoot, path)), path);
  }
});
