import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runReportCommand, say } from '../harness/system/report-command.ts';
import { reportText } from './report.ts';
import { runFaults } from './run-faults.ts';
import { replications } from './standby.ts';

/** Standard output contains only the report. */
const USAGE =
  'npm run faults -- [--minutes N] [--seed S] [--rate R] [--disk file-system|statements] [--standby synchronous|asynchronous]';

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
      rate: { type: 'string', default: '100' },
      disk: { type: 'string', default: 'file-system' },
      standby: { type: 'string' },
    },
  });
  const [minutes, seed, ratePerSecond] = [values.minutes, values.seed, values.rate].map(Number);
  const isGood = minutes! > 0 && Number.isSafeInteger(seed) && ratePerSecond! > 0;
  const replication = replications.find((one) => one === values.standby);
  if (!isGood || !['file-system', 'statements'].includes(values.disk) || (values.standby && !replication))
    throw new Error('An option has an invalid value.');
  const disk = values.disk === 'statements' ? ('statements' as const) : ('file system' as const);
  return {
    durationMs: minutes! * 60_000,
    seed: seed!,
    ratePerSecond: ratePerSecond!,
    disk,
    ...(replication && { replication }),
  };
}

await runReportCommand({
  usage: USAGE,
  readOptions,
  run: async (options, stops) => {
    say(`Seed ${options.seed}.`);
    const report = await runFaults({ ...options, say }, stops);
    return { text: reportText(report), json: report, isGood: report.problems.length === 0 };
  },
});
