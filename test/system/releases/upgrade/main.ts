import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runReportCommand, say } from '../../../harness/system/report-command.ts';
import { reportText } from './report.ts';
import { runUpgrade } from './run-upgrade.ts';
import { preparePair } from './versions.ts';

/** Standard output contains only the report. */
const USAGE = 'npm run upgrade -- [--to-next] [--without-kill] [--seconds N] [--seed S] [--rate R]';

function readOptions() {
  const { values } = parseArgs({
    options: {
      'without-kill': { type: 'boolean', default: false },
      'to-next': { type: 'boolean', default: false },
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
      rate: { type: 'string', default: '100' },
    },
  });
  const [seconds, seed, ratePerSecond] = [values.seconds, values.seed, values.rate].map(Number);
  if (!(seconds! > 0) || !Number.isSafeInteger(seed) || !(ratePerSecond! > 0))
    throw new Error('An option has an invalid value.');
  return {
    toNext: values['to-next'],
    kills: !values['without-kill'],
    servesMs: seconds! * 1_000,
    seed: seed!,
    ratePerSecond: ratePerSecond!,
  };
}

await runReportCommand({
  usage: USAGE,
  readOptions,
  run: async ({ toNext, ...options }, stops) => {
    say(`Seed ${options.seed}.`);
    const report = await runUpgrade({ ...options, ...(await preparePair(stops, { toNext })), say }, stops);
    return { text: reportText(report), json: report, isGood: report.problems.length === 0 };
  },
});
