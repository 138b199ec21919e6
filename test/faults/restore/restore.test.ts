import test from 'ava';
import { StopList } from '../../../dev/processes/stop-list.ts';
import { restoreText } from './report-text.ts';
import { runRestore } from './run-restore.ts';

/** Enough for a part before the moment, one after it, and retries. */
const EVENTS = 120;
const PATIENCE_MS = 20 * 60_000;

test('restored backups continue beside the same and an empty Temporal', async (t) => {
  t.timeout(PATIENCE_MS);
  const stops = new StopList(() => undefined);
  t.teardown(() => stops.stopAll());

  const report = await runRestore({ events: EVENTS, say: (text) => t.log(text) }, stops);

  t.log(restoreText(report));
  t.deepEqual(report.problems, []);
  t.true(
    report.cases.every(({ lostEvents }) => lostEvents > 0),
    'the moment lies within the traffic',
  );
});
