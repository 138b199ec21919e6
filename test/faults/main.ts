import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { StopList } from '../../dev/stop-list.ts';
import { reportText } from './report.ts';
import { runFaults } from './run-faults.ts';

/** `npm run faults`: fault tests for as long as one wants; the report goes to the standard output, the rest beside it. */
const USAGE = 'npm run faults -- [--minutes N] [--seed S] [--rate R] [--disk file-system|statements]';
const SIGNAL_EXIT_CODE = 130;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
      rate: { type: 'string', default: '100' },
      disk: { type: 'string', default: 'file-system' },
    },
  });
  const [minutes, seed, ratePerSecond] = [values.minutes, values.seed, values.rate].map(Number);
  const isGood = minutes! > 0 && Number.isSafeInteger(seed) && ratePerSecond! > 0;
  if (!isGood || !['file-system', 'statements'].includes(values.disk)) throw new Error('These are not the options');
  const disk = values.disk === 'statements' ? ('statements' as const) : ('file system' as const);
  return { durationMs: minutes! * 60_000, seed: seed!, ratePerSecond: ratePerSecond!, disk };
}

function optionsOrUsage() {
  try {
    return readOptions();
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
}

const options = optionsOrUsage();
const stops = new StopList(() => undefined);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(name, () => void stops.stopAll().finally(() => process.exit(SIGNAL_EXIT_CODE)));
}
try {
  say(`Seed ${options.seed}.`);
  const report = await runFaults({ ...options, say }, stops);
  process.stdout.write(`${reportText(report)}\n\n${JSON.stringify(report)}\n`);
  process.exitCode = report.problems.length === 0 ? 0 : 1;
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
} finally {
  await stops.stopAll();
}
process.exit();
