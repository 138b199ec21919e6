import test from 'ava';
import { StopList } from '../../../../dev/processes/stop-list.ts';
import { reportText } from './report.ts';
import { runUpgrade } from './run-upgrade.ts';
import { preparePair } from './versions.ts';

const PATIENCE_MS = 20 * 60_000;

test('an upgrade and a rollback lose nothing', async (t) => {
  t.timeout(PATIENCE_MS);
  const stops = new StopList(() => undefined);
  t.teardown(() => stops.stopAll());
  const versions = await preparePair(stops);
  t.log(`${versions.from.name} to ${versions.to.name}`);

  const report = await runUpgrade(
    { ...versions, seed: 38, ratePerSecond: 15, servesMs: 2_000, kills: true, say: (text) => t.log(text) },
    stops,
  );

  t.log(reportText(report));
  t.deepEqual(report.problems, []);
});
