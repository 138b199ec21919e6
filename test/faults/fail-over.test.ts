import test from 'ava';
import { StopList } from '../../dev/processes/stop-list.ts';
import { reportText } from './report.ts';
import { runFaults } from './run-faults.ts';
import type { Replication } from './standby.ts';

const DURATION_MS = 12_000;
const SEED = 21;
const RATE_PER_SECOND = 60;
const PATIENCE_MS = 20 * 60_000;

const failOver = test.macro({
  title: (_, replication: Replication) => `a fail-over to the ${replication} standby loses nothing that it has`,
  async exec(t, replication: Replication) {
    t.timeout(PATIENCE_MS);
    const stops = new StopList(() => undefined);
    t.teardown(() => stops.stopAll());

    const report = await runFaults(
      {
        durationMs: DURATION_MS,
        seed: SEED,
        ratePerSecond: RATE_PER_SECOND,
        replication,
        disk: 'statements',
        say: (text) => t.log(text),
      },
      stops,
    );

    t.log(reportText(report));
    t.deepEqual(report.problems, []);
    if (replication === 'synchronous') t.deepEqual(report.lostWithPrimary, []);
    else t.true(report.lostWithPrimary.length > 0, 'the standby was not behind');
  },
});

test.serial(failOver, 'synchronous');
test.serial(failOver, 'asynchronous');
