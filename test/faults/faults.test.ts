import test from 'ava';
import { StopList } from '../../dev/processes/stop-list.ts';
import { reportText } from './report.ts';
import { runFaults } from './run-faults.ts';

const DURATION_MS = 30_000;
const SEED = 20;
const RATE_PER_SECOND = 60;
const PATIENCE_MS = 20 * 60_000;

test('acknowledged events survive all faults and break no ledger rule', async (t) => {
  t.timeout(PATIENCE_MS);
  const stops = new StopList(() => undefined);
  t.teardown(() => stops.stopAll());
  const say = (text: string): void => t.log(text);
  const options = {
    durationMs: DURATION_MS,
    seed: SEED,
    ratePerSecond: RATE_PER_SECOND,
    disk: 'file system',
    say,
  } as const;

  const report = await runFaults(options, stops);

  t.log(reportText(report));
  t.deepEqual(report.problems, []);
});
