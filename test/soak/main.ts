import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runReportCommand, say } from '../harness/system/report-command.ts';
import { reportText } from './report.ts';
import { runSoak } from './run-soak.ts';

/** Each act must have its turn. */
const MIN_MINUTES = 10;
/** Standard output contains only the report. */
const USAGE = 'npm run soak -- [--seed S]';

function readOptions() {
  const { values } = parseArgs({ options: { seed: { type: 'string', default: String(randomInt(1_000_000)) } } });
  const minutes = Number(process.env['SOAK_MINUTES'] ?? 60);
  const seed = Number(values.seed);
  if (!(minutes >= MIN_MINUTES) || !Number.isSafeInteger(minutes))
    throw new Error(`SOAK_MINUTES must be a whole number of minutes, at least ${MIN_MINUTES}.`);
  if (!Number.isSafeInteger(seed)) throw new Error('The seed must be an integer.');
  return { minutes, seed };
}

await runReportCommand({
  usage: USAGE,
  readOptions,
  run: async (options, stops) => {
    say(`Seed ${options.seed}, ${options.minutes} minutes.`);
    const report = await runSoak({ ...options, say }, stops);
    return { text: reportText(report), json: report, isGood: report.problems.length === 0 };
  },
});
