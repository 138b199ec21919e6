import test from 'ava';
import { StopList } from '../../../../dev/processes/stop-list.ts';
import { reportText } from './report.ts';
import { runUpgrade } from './run-upgrade.ts';
import { preparePair, type VersionPair } from './versions.ts';

const PATIENCE_MS = 20 * 60_000;

export const upgrade = test.macro({
  title: (_, pair: VersionPair) => `an upgrade and a rollback lose nothing: ${pair}`,
  async exec(t, pair: VersionPair) {
    t.timeout(PATIENCE_MS);
    const stops = new StopList(() => undefined);
    t.teardown(() => stops.stopAll());
    const versions = await preparePair(pair, stops);

    const report = await runUpgrade(
      { ...versions, ...{ seed: 38, ratePerSecond: 15, servesMs: 2_000, kills: true }, say: (text) => t.log(text) },
      stops,
    );

    t.log(reportText(report));
    t.deepEqual(report.problems, []);
  },
});
