import { startSystem } from './system/system.ts';
import { printResult, watchMachine, writeResult } from './figures/report.ts';
import { describeProfiles } from './figures/split.ts';
import { toFigures } from './figures/figures.ts';
import { isStored } from './figures/row.ts';
import { measureSitting, withRatios } from './floor/sitting.ts';
import { rows } from './rows/rows.ts';
import { countsStatements } from './system/statements.ts';

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(rows, name));

if (names.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`Unknown row: ${unknown.join(', ')}.`);
  console.error('Usage: npm run bench -- <row…>. The rows are:');
  for (const [name, { title }] of Object.entries(rows)) console.error(`  ${name.padEnd(10)}${title}`);
  process.exit(1);
}

const profileFolder = process.env['BENCH_PROFILE'];
const say = (text: string): void => console.error(`  ${text}`);
let stopSystem = (): Promise<void> => Promise.resolve();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void stopSystem().finally(() => process.exit(130)));
}

try {
  for (const name of names) await runRow(name);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
process.exit();

async function runRow(name: string): Promise<void> {
  const row = rows[name]!;
  const readMachine = watchMachine();
  console.error(`${name}: ${row.title}`);
  // The split needs a profiler and a library, which `npm start` does not load.
  const asNpmStart = row.asNpmStart === true && !countsStatements && !profileFolder;
  const system = await startSystem({ say, asNpmStart });
  stopSystem = system.stop;
  try {
    const sitting = row.hasOwnFloor ? undefined : await measureSitting(system);
    const { runs, notes } = await row.measure({ system, say });
    const measured = { figures: toFigures(runs), notes };
    const machine = readMachine();
    const result = sitting ? withRatios(measured, sitting) : measured;
    printResult(name, { machine, result });
    if (isStored) await writeResult(name, { machine, result });
  } finally {
    await system.stop();
  }
  // Written at a process's exit.
  if (profileFolder) console.log(describeProfiles(profileFolder).join('\n'));
}
